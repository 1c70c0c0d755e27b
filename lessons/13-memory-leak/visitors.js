import { inMix } from '../shared/batches.js'
import { undecodable } from '../shared/urls.js'
import { editionOf, languages, newId, wrongPage } from './newsroom.js'

/**
 * What visitors request: the same few articles all day, many of them with a query string that was never sent before.
 *
 * @import { Random, Stream } from '../../runner/lesson/index.js'
 *
 * @typedef {{ id: string, lang: string }} Asked
 */

/** Missing ones at the beginning: a server that keeps some of these pages has as many as it keeps afterwards. */
const scanned = 320
/** Where it's kept of what is missing, or refused, it's more than a lesson allows for each request. */
const long = { missing: 'x'.repeat(8000), refused: 'x'.repeat(14_000) }

/** @type {Stream} its model has the latest edition that was shown, and may no longer be shown, of each article */
export function visitors (given) {
  const { random, data, model } = given
  const pages = pagesOf(data)
  const read = readingOf(given)
  const miss = (/** @type {Asked} */ { lang }) => ({
    ...askFor(random, { id: newId(random) + long.missing, lang }, [], browser(random)),
    check: (/** @type {any} */ answer) => wrongPage(data, { id: 'none', lang, isMissing: true }, answer)
  })
  const refuse = (/** @type {Asked} */ { id }) => ({
    ...askFor(random, { id, lang: random.word(8) + long.refused }, [], browser(random)),
    check: (/** @type {any} */ { status }) => status === 400 ? undefined : `expected status 400, got ${status}`
  })
  const refresh = (/** @type {Asked} */ { id }) => {
    const known = model[id] ??= { seen: 0, outdated: 0 }
    // Editions that were shown before this request was sent come from calls that were made before it.
    const { seen } = known
    return {
      method: 'POST',
      path: `/articles/${id}/refresh`,
      answered: () => { known.outdated = Math.max(known.outdated, seen) },
      check: (/** @type {any} */ { status }) => status === 204 ? undefined : `expected status 204, got ${status}`
    }
  }

  const track = (/** @type {Asked} */ page) => read(page, tracking(random))
  const many = [...Array(28).fill(read), ...Array(15).fill(track), ...Array(10).fill(miss), ...Array(6).fill(refuse)]
  const mix = [...many, refresh].map((make) => () => make(random.pick(pages)))
  // First everything once, and a crawler on the way: what a cache can hold, it then holds.
  const first = random.shuffle([
    ...pages.map((page) => () => read(page)),
    ...Array(scanned).fill(() => miss(random.pick(pages)))
  ])
  // The first request of a load is also the example that `serve` shows.
  const next = inMix(random, mix, [...first, () => read({ id: random.pick(data.ids), lang: 'de' })])
  return () => next()()
}

/** Those pages again and again, each under one URL: in any cache, they add nothing. @type {Stream} */
export function readers (given) {
  const pages = pagesOf(given.data)
  const read = readingOf(given)
  return () => read(given.random.pick(pages))
}

/** @param {any} data @returns {Asked[]} every article in every language */
export function pagesOf ({ ids }) {
  return ids.flatMap((/** @type {string} */ id) => languages.map((lang) => ({ id, lang })))
}

/** @param {Parameters<Stream>[0]} given */
function readingOf ({ random, data, model }) {
  return (/** @type {Asked} */ { id, lang }, /** @type {string[]} */ further = []) => {
    const known = model[id] ??= { seen: 0, outdated: 0 }
    const after = known.outdated
    return {
      ...askFor(random, { id, lang }, further, browser(random)),
      key: `${id} ${lang} ${after}`,
      answered: (/** @type {any} */ answer) => { known.seen = Math.max(known.seen, editionOf(answer)) },
      check: (/** @type {any} */ answer) => wrongPage(data, { id, lang, after }, answer)
    }
  }
}

/**
 * @param {Random} random @param {{ id: string, lang?: string }} asked
 * @param {string[]} [further] what else is in the query string
 * @param {Record<string, string>} [headers]
 */
export function askFor (random, { id, lang }, further = anything(random), headers) {
  const query = random.shuffle([...lang === undefined ? [] : [`lang=${lang}`], ...further]).join('&')
  return { path: `/articles/${id}${query && '?'}${query}`, headers: headers ?? random.pick([{}, browser(random)]) }
}

/** Nothing, where a visitor comes from, or what a hasty parser takes for the language. @param {Random} random */
function anything (random) {
  const other = random.pick(languages)
  return random.pick([[], tracking(random), tracking(random), random.pick([
    [`slang=${other}`, `utm_lang=${other}`, `Lang=${other}`],
    ['hasOwnProperty=1', ...undecodable],
    [`sid=${'x'.repeat(6000)}`],
    [`next=%26lang%3D${other}`, `lang_=${other}`],
    [`q=${other}+%E6%9D%B1%E4%BA%AC%20%26`, 'flag', `list=${random.word(3)}`, `list=${random.word(3)}`]
  ])])
}

/** Where a visitor comes from. Some of these names are on no list. @param {Random} random */
function tracking ({ pick, word }) {
  return pick([
    () => [`utm_source=${pick(['letter', 'social', 'search'])}`, `utm_campaign=${word(8)}`, `sid=${word(16)}`],
    () => [`sid=${word(16)}`, `utm_medium=mail&utm_content=${word(10)}`],
    () => [`${word(5)}=${word(18)}`, 'utm_source=partner'],
    () => [`sid=${word(16)}`, `${word(7)}=${word(24)}`]
  ])()
}

/** What a browser sends along. @param {Random} random @returns {Record<string, string>} */
function browser (random) {
  return {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'accept-language': 'de-DE,de;q=0.9,en;q=0.7',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome Safari/537.36',
    cookie: `visitor=${random.word(24)}; consent=${'necessary.statistics.marketing.'.repeat(14)}`
  }
}

/** The same id to every server that decodes a path. @param {Random} random @param {string} id */
export function encoded (random, id) {
  const at = random.int(0, id.length - 1)
  const code = id.charCodeAt(at).toString(16)
  return `${id.slice(0, at)}%${random.pick([code, code.toUpperCase()])}${id.slice(at + 1)}`
}
