import { languages, newId } from './newsroom.js'
import { browser, tracking } from './operations.js'
import { editionOf, missingProblem, pageProblem } from './page.js'

/**
 * @import { Item, Random, Stream } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Known of one article
 * @property {number} seen the latest edition that was shown
 * @property {number} outdated the latest edition that may not be shown any more, since the article was refreshed
 *
 * @typedef {Map<string, Known>} Model of one server's life, by article
 */

// A mix, not a draw for each request: every batch has the same share of each.
const requestMix = [...Array(34).fill('again'), ...Array(15).fill('tracked'), ...Array(10).fill('missing'), 'refresh']
/**
 * Articles that there are not, at the beginning: whoever keeps some of these pages has as many as it keeps afterwards.
 */
const scanned = 320

/** @param {{ data: any }} given @returns {Model} */
export function makeModel ({ data }) {
  return new Map(data.ids.map((/** @type {string} */ id) => [id, { seen: 0, outdated: 0 }]))
}

/**
 * Visitors. The same few articles all day, many of them with a query string that nobody has sent before.
 *
 * @type {Stream}
 */
export function visitors ({ random, data, model }) {
  const all = data.ids.flatMap((/** @type {string} */ id) => languages.map((lang) => ({ id, lang })))
  // First everything once, and a crawler on the way: what a cache can hold, it then holds.
  const first = random.shuffle([
    ...all.map((/** @type {{ id: string, lang: string }} */ article) => ({ kind: 'again', ...article })),
    ...Array(scanned).fill({ kind: 'missing' })
  ])
  // The first request of a load is also the example that `serve` shows.
  first.push({ kind: 'again', id: random.pick(data.ids), lang: 'de' })
  /** @type {string[]} */
  let kinds = []

  return () => {
    const opening = first.pop()
    if (!opening && kinds.length === 0) kinds = random.shuffle(requestMix)
    const { kind, id, lang } = opening ?? { kind: kinds.pop(), ...random.pick(all) }
    switch (kind) {
      case 'refresh': return refresh(model, id)
      case 'missing': return askForNothing(newId(random), random.pick(languages), random)
      default: return askFor({ data, model }, id, lang, kind === 'tracked' ? tracking(random) : undefined, random)
    }
  }
}

/**
 * @param {{ data: any, model: Model }} given
 * @param {string} id @param {string} lang @param {string[] | undefined} extra @param {Random} random @returns {Item}
 */
function askFor ({ data, model }, id, lang, extra, random) {
  const known = knownOf(model, id)
  const after = known.outdated
  const query = extra === undefined ? [`lang=${lang}`] : random.shuffle([`lang=${lang}`, ...extra])
  return {
    path: `/articles/${id}?${query.join('&')}`,
    headers: browser(random),
    key: `${id} ${lang} ${after}`,
    answered: ({ headers }) => { known.seen = Math.max(known.seen, editionOf(headers) || 0) },
    check: (answer) => pageProblem(data, { id, lang, after }, answer)
  }
}

/** @param {string} id @param {string} lang @param {Random} random @returns {Item} */
function askForNothing (id, lang, random) {
  return {
    path: `/articles/${id}?lang=${lang}`,
    headers: browser(random),
    check: (answer) => missingProblem(answer, lang)
  }
}

/** @param {Model} model @param {string} id @returns {Item} */
function refresh (model, id) {
  const known = knownOf(model, id)
  // Editions that were shown before this request was sent come from calls that were made before it.
  const { seen } = known
  return {
    method: 'POST',
    path: `/articles/${id}/refresh`,
    answered: () => { known.outdated = Math.max(known.outdated, seen) },
    check: ({ status }) => status === 204 ? undefined : `expected status 204, got ${status}`
  }
}

/** @param {Model} model @param {string} id @returns {Known} */
function knownOf (model, id) {
  return /** @type {Known} */ (model.get(id))
}
