import { patch } from '../apply.js'

export default [
  {
    name: 'base',
    on: 'slow',
    why: 'Cluster on plain node:http, with a primary that counts: the wrong ones change it.',
    files: 'right/base'
  },
  {
    name: 'valid-commonjs',
    on: 'slow',
    why: 'CommonJS; the primary answers in the order in which it was asked, so messages need no ids.',
    files: 'right/commonjs',
    change: patch`
      @@ panorama.js
      -export function panorama (terrain, x, y) {
      +exports.panorama = function panorama (terrain, x, y) {
    `
  },
  {
    name: 'valid-counted-in-a-file',
    on: 'slow',
    why: 'The count is in a file that all workers append to, so no process holds it.',
    files: 'right/counted-in-a-file'
  },
  {
    name: 'valid-proxy',
    on: 'slow',
    why: 'One process counts and passes requests on over HTTP to others, which render.',
    files: 'right/proxy'
  },
  {
    name: 'valid-render-processes',
    on: 'slow',
    why: "One process serves and counts; child processes render, and a lost one's panorama is rendered again.",
    files: 'right/render-processes'
  },
  {
    name: 'valid-restify-in-front',
    on: 'slow',
    why: 'Restify in front of rendering processes, two panoramas at once in each, and a stop that waits for requests.',
    files: 'right/restify-in-front'
  },
  {
    name: 'valid-sockets-handed-over',
    on: 'slow',
    why: 'Connections are handed to child processes, without cluster.',
    files: 'right/sockets-handed-over'
  },
  {
    name: 'valid-tuned-walk',
    on: 'base',
    why: 'The arithmetic is faster as well, with the same figures.',
    files: 'right/tuned-walk'
  },
  {
    name: 'valid-worker-threads',
    on: 'slow',
    why: 'Threads render, not processes; the main thread serves and counts.',
    files: 'right/worker-threads'
  }
]
