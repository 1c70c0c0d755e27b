import { isDeepStrictEqual } from 'node:util'
import { changeSlightly } from '../shared/changes.js'

/** @import { Random } from '../../runner/lesson/index.js' */

/**
 * What an app fetches when it starts: about 22 kB of JSON, nested deeply enough that traversing it is costly.
 *
 * @param {Random} random @param {number} [count] of regions: fewer make a smaller content
 */
export function makeContent (random, count = 26) {
  const { int, pick, word } = random
  const newNames = (/** @type {number} */ length) => Array.from({ length }, (_, at) => `${word(int(3, 6))}${at}`)
  const makeText = () => `${pick(openings)} ${word(int(6, 10))}${pick(endings)}`
  const makeStore = () => ({
    id: int(1, 1e6),
    name: `${pick(places)}, ${word(7)}`,
    hours: { opens: `${int(6, 10)}:00`, closes: `${int(17, 22)}:30` },
    place: { lat: int(-9000, 9000) / 100, lon: int(-18000, 18000) / 100 }
  })
  const makeRegion = () => ({
    name: `${pick(places)} ${word(4)}`,
    currency: pick(['EUR', 'PLN', 'JPY', 'BRL', 'CHF']),
    open: int(0, 4) > 0,
    taxes: byName(['books', 'food', 'other'], () => int(0, 250) / 10),
    stores: Array.from({ length: 3 }, makeStore)
  })
  const makeRule = () => ({ country: pick(['FR', 'PL', 'JP', 'BR', 'CH']), from: int(0, 2) === 0 ? null : int(1, 400) })
  const makeFeature = () => ({ on: int(0, 1) === 1, share: int(0, 100) / 100, rules: [makeRule(), makeRule()] })
  return {
    texts: byName(languages, () => byName(screens, () => byName(labels, makeText))),
    regions: byName(newNames(count), makeRegion),
    features: byName(newNames(2 * count), makeFeature)
  }
}

/**
 * For a PUT in a sequence: never content from before, since a server may give that its old tag or a new one.
 *
 * @param {Random} random @param {{ sent: any[], state: any }} given
 */
export function nextContent (random, { sent, state }) {
  if (sent.length === 1) return { data: {} }
  const earlier = [state.seed, ...sent].map(({ data }) => data)
  const last = earlier.findLast(({ texts }) => texts !== undefined) ?? makeContent(random)
  const way = random.pick([change, changeSlightly, changeSlightly, changeSlightly, () => anyContent(random)])
  for (;;) {
    const data = way(last, random)
    if (!earlier.some((one) => isDeepStrictEqual(one, data))) return { data }
  }
}

/** With a new text of the same length, or a new share at the end. @param {any} content @param {Random} random */
export function change ({ texts, regions, features }, random) {
  if (random.int(1, 3) > 1) {
    const name = random.pick(Object.keys(features))
    return { texts, regions, features: { ...features, [name]: { ...features[name], share: random.int(1, 1e9) / 1e9 } } }
  }
  const [language, screen, label] = [random.pick(languages), random.pick(screens), random.pick(labels)]
  const changed = { ...texts[language][screen], [label]: random.word(texts[language][screen][label].length) }
  return { texts: { ...texts, [language]: { ...texts[language], [screen]: changed } }, regions, features }
}

/** Content of any kind, large or small. @param {Random} random @returns {Record<string, unknown>} */
export function anyContent (random) {
  if (random.next() < 0.6) return makeContent(random, random.pick([1, 2, 26]))
  return {
    text: `Żółty № ${random.word(9)} 東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n </script> $& $1`,
    'key with ünï.dots, and "quotes"': { 1: 'one', '': null, constructor: 'c', url: '/seed/v1' },
    numbers: [0, -1.5, 1e21, 2 ** 53, 0.1, random.int(1, 1e9)],
    others: [true, false, null, [], {}, [[{ deep: [{ deeper: '…' }] }]]]
  }
}

/** @template T @param {string[]} names @param {() => T} make @returns {Record<string, T>} */
function byName (names, make) {
  return Object.fromEntries(names.map((name) => [name, make()]))
}

const languages = ['de', 'en', 'el', 'ja', 'pl', 'pt']
const screens = ['welcome', 'search', 'basket', 'payment', 'orders', 'account']
const labels = ['title', 'hint', 'action', 'error']
const openings = ['Bitte', 'Please', 'Παρακαλώ', 'どうぞ', 'Proszę', 'Por favor,', 'Noch', 'Zażółć', 'Não', '“Yes”']
const endings = ['.', '!', ' …', '?', ' → 🛒']
const places = ['Zürich', 'Kraków', '東京', 'São Paulo', 'Αθήνα', 'Genève', 'Sheffield']
