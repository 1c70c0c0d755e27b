/** @import { Random, Step } from '../../runner/lesson/index.js' */

/** No decoder of UTF-8 can read these, and a query string may hold them. */
export const undecodable = ['rebate=50%', 'city=M%FCnster']

/** Of these a query string is made. @type {((random: Random) => string)[]} */
const parameters = [
  ({ word }) => `user=${word(8)}`,
  ({ int }) => `page=${int(1, 3)}`,
  ({ word }) => `q="${word(4)}"\\n'{<>}`,
  ({ word }) => `q=\\"${word(3)}`,
  ({ word }) => `b=%C3%A9%20+${word(2)}&b=2`,
  ({ int }) => `name=%e6%9d%b1%E4%BA%AC&x=${int(1, 3)}`,
  ({ pick }) => pick(undecodable),
  ({ pick }) => `hash=${pick(['Aa', 'BB'])}${pick(['Aa', 'BB'])}`,
  ({ word, pick }) => `cost=${pick(['$&', '$$', '$1', "$'"])}${word(3)}`,
  ({ int }) => `long=${'x'.repeat(200)}${int(1, 2)}`
]

/** What a careless key takes for the same query. @type {((query: string) => string)[]} */
const twists = [
  (query) => query.replace(/[a-z]/gi, otherCase),
  (query) => query.split('&').reverse().join('&'),
  (query) => query.includes('+') ? query.replaceAll('+', '%20') : query.replaceAll('%20', '+'),
  (query) => query.replace(/%[0-9a-f]{2}/gi, otherCase),
  (query) => query.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  // As a URL parser writes it.
  (query) => query.replace(/['"<>]/, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  // Their sums are the same when every character counts 31 times what comes after it, or they count alike.
  (query) => query.includes('Aa') ? query.replace('Aa', 'BB') : query.replace('BB', 'Aa'),
  (query) => query.replace(/([a-z])(?!\1)([a-z])/, '$2$1'),
  (query) => query.endsWith('&') ? query.slice(0, -1) : `${query}&`,
  (query) => query.endsWith('&x') ? `${query}=` : `${query}&x`
]

/** On either side of what differs in the middle, where a short key doesn't look. A server takes 16 kB of headers. */
const longSides = [100, 3200]
/** As names in a plain object, these are there before anyone has put them in. */
const inherited = ['?constructor', '?__proto__']

/** URLs that are as alike as can be, and all different. @param {string} path @param {Random} random */
export function alikeUrls (path, random) {
  const query = `user=${random.word(6)}&b=%C3%A9%20+x&name=%e6%9d%b1&hash=Aa&q='<x>'&cost=$$$&${undecodable.join('&')}`
  const long = longSides.flatMap((length) => [1, 2].map((n) => `?q=${'x'.repeat(length)}${n}${'y'.repeat(length)}`))
  const all = ['', '?', ...inherited, `?${query}`, ...twists.map((twist) => `?${twist(query)}`), ...long]
  return all.map((rest) => path + rest)
}

/** @param {string} text */
function otherCase (text) {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

/**
 * The path with any query string: often one that was requested before, or one that looks much like the last one.
 *
 * @param {string} path
 * @param {Random} random
 * @param {Step[]} [past] requests for it
 * @returns {string}
 */
export function anyUrl (path, random, past = []) {
  const draw = random.next()
  if (past.length > 0 && draw < 0.3) return urlOf(random.pick(past))
  const [, query] = past.length > 0 ? urlOf(past[past.length - 1]).split('?') : []
  if (query && draw < 0.6) return `${path}?${random.pick(twists)(query)}`
  if (random.next() < 0.15) return path + random.pick(['', '?'])
  return `${path}?${Array.from({ length: random.int(1, 4) }, () => random.pick(parameters)(random)).join('&')}`
}

/** @param {Step} step of a plain request @returns {string} */
export function urlOf ({ asked }) {
  return 'path' in asked ? asked.path : ''
}
