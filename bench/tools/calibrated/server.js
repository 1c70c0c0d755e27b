import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
// @ts-expect-error It's next to this file once both are copied.
import { work } from './work.js'

/**
 * A server whose speed is set: each answer costs `units` of the same work (work.json in DATA_DIR), divided by the ratio
 * in ratio.json next to this file. `overhead` is what an answer costs without any work, in units: with it, the ratio
 * holds for whole answers.
 */

const { units, overhead } = JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR ?? '', 'work.json'), 'utf8'))
const ratio = JSON.parse(fs.readFileSync('ratio.json', 'utf8'))
const own = Math.max(0, Math.round((units + overhead) / ratio - overhead))

http.createServer((req, res) => {
  res.setHeader('Content-Type', 'text/plain')
  const word = (req.url ?? '').slice(1)
  if (word !== 'healthz') res.setHeader('X-Fields', work(own))
  res.end([...word].reverse().join(''))
}).listen(Number(process.env.PORT), process.env.HOST)
