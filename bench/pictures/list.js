import { patch } from '../../test/submissions/apply.js'

/**
 * The pictures that are made from runs: which server, seen with what.
 *
 * @typedef {object} Picture
 * @property {string} text the Markdown file that shows it, from the workshop's folder; what it says there is its
 *   alternative text
 * @property {string} src relative to that text. Those of the gallery have numbers: a name would give the answer away
 * @property {string} lesson
 * @property {'cpu' | 'trace' | 'loop' | 'bench' | 'summary'} tool loop: the event loops of the slow server and of the
 *   solution; bench: autocannon's table; summary: that of `cpu`, as text
 * @property {boolean} [whole] every function has its bar, even where a chain of them takes the same time
 * @property {string[]} [charts] how the titles of those to show begin; default: the first five
 * @property {boolean} [numbered] with numbers, which a list in the text explains
 * @property {string} [on] the submission that `change` changes; default: the slow server, as it is
 * @property {import('../../test/submissions/apply.js').Change} [change]
 *
 * @typedef {Pick<Picture, 'lesson' | 'tool' | 'whole' | 'on' | 'change'>} Shape
 */

/** In the order of docs/gallery.md. @type {Shape[]} */
const shapes = [
  { lesson: '01-sync-login', tool: 'cpu' },
  { lesson: '09-thread-pool', tool: 'trace' },
  { lesson: '03-in-memory-json', tool: 'cpu' },
  { lesson: '13-memory-leak', tool: 'trace' },
  { lesson: '08-framework', tool: 'cpu', whole: true },
  { lesson: '14-waterfall', tool: 'trace' },
  {
    lesson: '04-regex-in-loop',
    tool: 'cpu',
    on: 'slow',
    change: patch`
      -  return allMovies().filter((movie) => new RegExp(genre, 'i').test(movie.Genre.toLowerCase()))
      +  return movies.filter(({ Genre }) =>
      +    Genre.toLowerCase().split(', ').some((word) => new RegExp(genre, 'i').test(word)))
    `
  },
  { lesson: '02-leaking-listeners', tool: 'trace' },
  { lesson: '15-chatty-logger', tool: 'cpu' },
  {
    lesson: '11-cluster',
    tool: 'trace',
    on: 'valid-sockets-handed-over',
    change: patch`
      -    const worker = workers[turn++ % workers.length]
      +    const worker = workers[Number(socket.remoteAddress.split('.').pop()) % workers.length]
    `
  }
]

/**
 * @param {string} lesson
 * @param {string} name
 * @param {Omit<Picture, 'text' | 'src' | 'lesson'>} what
 * @returns {Picture}
 */
function ofLesson (lesson, name, what) {
  return { text: `lessons/${lesson}/README.md`, src: `pictures/${name}.svg`, lesson, ...what }
}

/** @type {Picture[]} */
export const pictures = [
  { text: 'README.md', src: 'docs/event-loop.svg', lesson: '01-sync-login', tool: 'loop' },
  ...shapes.map((shape, at) => ({ text: 'docs/gallery.md', src: `gallery/${at + 1}.svg`, ...shape })),
  ofLesson('05-the-fix-that-lied', 'table', { tool: 'bench', numbered: true }),
  ofLesson('01-sync-login', 'summary', { tool: 'summary', numbered: true }),
  ofLesson('01-sync-login', 'flame-slow', { tool: 'cpu' }),
  ofLesson('01-sync-login', 'trace', { tool: 'trace', numbered: true }),
  ofLesson('02-leaking-listeners', 'flame-slow', { tool: 'cpu' }),
  ofLesson('10-worker-threads', 'trace-slow', { tool: 'trace', charts: ['Event loop', 'Processor'] }),
  ofLesson('13-memory-leak', 'trace-slow', { tool: 'trace', charts: ['Memory', 'Event loop delay', 'Garbage'] }),
  ofLesson('14-waterfall', 'trace-slow', { tool: 'trace', charts: ['Event loop', 'Processor', 'Active'] })
]
