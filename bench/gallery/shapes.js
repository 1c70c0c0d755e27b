import { patch } from '../../test/submissions/apply.js'

/**
 * Which server, seen with which tool, is which picture of docs/gallery.md. Files have the numbers of the page: a name
 * would give the answer away.
 *
 * @typedef {object} Shape
 * @property {string} lesson
 * @property {'cpu' | 'trace'} tool
 * @property {boolean} [whole] every function has its bar, even where a chain of them takes the same time
 * @property {string} [on] the submission that `change` changes; default: the slow server, as it is
 * @property {import('../../test/submissions/apply.js').Change} [change]
 * @property {string} alt what is to be seen, and no diagnosis
 */

/** @type {Shape[]} */
export const shapes = [
  {
    lesson: '01-sync-login',
    tool: 'cpu',
    alt: 'Flame graph. One stack is nearly as wide as the picture and only a few bars high: POST /login, ' +
      'isRightPassword, pbkdf2Sync and, on top, native code called run. Next to it are a few thin towers and ' +
      'hardly any idle time.'
  },
  {
    lesson: '09-thread-pool',
    tool: 'trace',
    alt: 'Five charts over time. Under load the event loop is busy only in part, and seldom late for long; at ' +
      'times more of the processors is busy than the event loop; the heap is flat; active handles climb to ' +
      'hundreds. A request takes many times its CPU time.'
  },
  {
    lesson: '03-in-memory-json',
    tool: 'cpu',
    alt: 'Flame graph. GET /movies is most of the width. On it is json, which splits into send and stringify; send ' +
      'carries Node.js functions that end in native code. Idle and garbage collection are narrow.'
  },
  {
    lesson: '13-memory-leak',
    tool: 'trace',
    alt: 'Five charts over time. Event loop and processors are busy under load, with small delays. The heap climbs ' +
      'from the beginning of the load to its end and stays there in the rest that follows. Active handles ' +
      'stay level.'
  },
  {
    lesson: '08-framework',
    tool: 'cpu',
    whole: true,
    alt: 'Flame graph of very tall towers, dozens of bars high. They get narrower step by step, at bars of your ' +
      'files that sit between long runs of packages. No bar at a top is wide.'
  },
  {
    lesson: '14-waterfall',
    tool: 'trace',
    alt: 'Five charts over time. Under load the event loop is mostly idle and never late for long, the processors ' +
      'have next to nothing to do, heap and handles are level. Yet a request takes many times its CPU time.'
  },
  {
    lesson: '04-regex-in-loop',
    tool: 'cpu',
    on: 'slow',
    change: patch`
      -  return allMovies().filter((movie) => new RegExp(genre, 'i').test(movie.Genre.toLowerCase()))
      +  return movies.filter(({ Genre }) =>
      +    Genre.toLowerCase().split(', ').some((word) => new RegExp(genre, 'i').test(word)))
    `,
    alt: 'Flame graph. findByGenre, from your files, is wide. On it are two rows of functions without a name at ' +
      'server.js:36, also yours, and nothing on those. Next to it are json, send and end.'
  },
  {
    lesson: '02-leaking-listeners',
    tool: 'trace',
    alt: 'Five charts over time. The event loop is fully busy under load. Its delay is small at first and grows ' +
      'until the load ends. Heap and handles are level.'
  },
  {
    lesson: '15-chatty-logger',
    tool: 'cpu',
    alt: 'Flame graph of two groups. Under on finish are framesOf and sourceLine, yours, with native code on top, ' +
      'and functions of Node.js. The other group is a tower that passes through several of your files and ends ' +
      'in json, send and res.end.'
  },
  {
    lesson: '11-cluster',
    tool: 'trace',
    on: 'valid-sockets-handed-over',
    change: patch`
      -  const worker = workers[turn++ % workers.length]
      +  const worker = workers[Number(socket.remoteAddress.split('.').pop()) % workers.length]
    `,
    alt: 'Five charts over time, with a line for each of three processes. One event loop is fully busy under load, ' +
      'and its delay is large; the other two are idle. All together keep one core busy at most.'
  }
]
