import { makeMovie } from '../shared/movies.js'

/** @import { Random } from '../../runner/lesson/index.js' */

/** All but the long ones have this many bytes in the list: lists can't be told apart by length. */
const usualBytes = 1200

/**
 * A film to add: any, one that was sent before, or one with nearly the same number as the first.
 *
 * @param {Random} random @param {{ sent: any[] }} given
 */
export function nextMovie (random, { sent: [first, ...others] }) {
  const way = random.next()
  // Never the first again: no list is the same in two runs.
  if (way < 0.2 && others.length > 0) return random.pick(others)
  return way >= 0.2 && way < 0.6 && first !== undefined ? turned(first, random) : anyMovie(random)
}

/** A film as a client may send it, some with an id. @param {Random} random @returns {Record<string, unknown>} */
export function anyMovie (random) {
  const movie = makeMovie(random)
  const { Title, imdbID } = movie
  const id = random.next() < 0.4 ? { id: random.pick([1, 0, -1, random.int(2, 900), 1e9, 'x', null]) } : {}
  const film = random.pick([
    { ...movie, ...id },
    { ...id, Title, imdbID },
    {
      ...movie,
      ...id,
      Title: `Żółty Café № ${random.word(5)}`,
      Plot: '東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n <b> $& $1 %s'
    }
  ])
  if (random.next() < 0.06) return { ...film, Plot: Array.from({ length: 40 }, () => makeMovie(random).Plot).join(' ') }
  const further = { ...film, more: { notes: [null, 1.5, { of: [random.word(5)] }] }, rest: '' }
  const missing = usualBytes - Buffer.byteLength(JSON.stringify({ ...further, id: 100 }))
  return { ...further, rest: random.word(missing) }
}

/** A film with the digits of its number in another order. @param {any} film @param {Random} random */
function turned (film, random) {
  const digits = film.imdbID.slice(2)
  const at = random.int(1, digits.length - 1)
  return { ...film, imdbID: `tt${digits.slice(at)}${digits.slice(0, at)}` }
}
