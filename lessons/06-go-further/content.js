/** @import { Random } from '../../runner/lesson/index.js' */

/**
 * The content of this lesson: what an app asks for when it starts. Deep, so that walking through it costs something.
 */

/**
 * @typedef {object} Data about 22 kB of JSON
 * @property {Record<string, Record<string, Record<string, string>>>} texts by language, screen and name
 * @property {Record<string, { name: string, currency: string, open: boolean, taxes: Record<string, number>, stores:
 *   Store[] }>} regions
 * @property {Record<string, { on: boolean, share: number, rules: { country: string, from: number | null }[] }>}
 *   features
 *
 * @typedef {{ id: number, name: string, hours: { opens: string, closes: string }, place: { lat: number, lon: number }
 *   }} Store
 */

/**
 * @param {Random} random
 * @param {number} [regions] fewer of them make a smaller content
 * @returns {Data}
 */
export function makeData (random, regions = 26) {
  return {
    texts: byName(languages, () => byName(screens, () => byName(labels, () => makeText(random)))),
    regions: byName(newNames(random, regions), () => makeRegion(random)),
    features: byName(newNames(random, regions * 2), () => makeFeature(random))
  }
}

/**
 * The same content with one text replaced by another one of the same length …
 *
 * @param {Data} data
 * @param {Random} random
 * @returns {Data}
 */
function changeText (data, random) {
  const { texts } = data
  const [language, screen, label] = [random.pick(languages), random.pick(screens), random.pick(labels)]
  const changed = { ...texts[language][screen], [label]: random.word(texts[language][screen][label].length) }
  return { ...data, texts: { ...texts, [language]: { ...texts[language], [screen]: changed } } }
}

/**
 * … or with the share of one of its features, which stand at the end.
 *
 * @param {Data} data
 * @param {Random} random
 * @returns {Data}
 */
function changeShare (data, random) {
  const name = random.pick(Object.keys(data.features))
  const feature = { ...data.features[name], share: random.int(1, 1e9) / 1e9 }
  return { ...data, features: { ...data.features, [name]: feature } }
}

/**
 * The same content with one small change, and never the same one twice.
 *
 * @param {Data} data
 * @param {Random} random
 */
export function change (data, random) {
  return random.pick([changeText, changeShare, changeShare])(data, random)
}

/**
 * The same content with a change that a careless tag does not see, and sometimes its keys in another order.
 *
 * @param {Data} data
 * @param {Random} random
 * @returns {any}
 */
export function changeSlightly (data, random) {
  const copy = structuredClone(data)
  random.pick(slight)(random.shuffle(partsOf(copy)))
  return random.next() < 0.3 ? Object.fromEntries(Object.entries(copy).reverse()) : copy
}

/** @typedef {{ holder: any, key: string, value: any }} Part */

/** @type {((parts: Part[]) => void)[]} */
const slight = [
  (parts) => {
    const [one, other] = parts.filter(({ value }) => isText(value))
    one.holder[one.key] = other.value
    other.holder[other.key] = one.value
  },
  (parts) => replaceOne(parts, isText, (text) => text.replace(/(.)(?!\1)(.)/u, '$2$1')),
  (parts) => replaceOne(parts, isText, (text) => text.replace(/[a-y]/, nextLetter)),
  (parts) => replaceOne(parts, isText, (text) => [text]),
  (parts) => replaceOne(parts, (value) => typeof value === 'number', String),
  (parts) => replaceOne(parts, (value) => typeof value === 'boolean', String),
  (parts) => replaceOne(parts, (value) => Array.isArray(value) && value.length > 1, (list) => list.reverse())
]

/** @param {Part[]} parts @param {(value: any) => boolean} isFit @param {(value: any) => unknown} change */
function replaceOne (parts, isFit, change) {
  const part = parts.find(({ value }) => isFit(value))
  if (part) part.holder[part.key] = change(part.value)
}

/** @param {unknown} value */
function isText (value) {
  return typeof value === 'string'
}

/** @param {string} letter */
function nextLetter (letter) {
  return String.fromCharCode(letter.charCodeAt(0) + 1)
}

/** @param {any} holder @returns {Part[]} what is in it, at any depth */
function partsOf (holder) {
  if (typeof holder !== 'object' || holder === null) return []
  return Object.entries(holder).flatMap(([key, value]) => [{ holder, key, value }, ...partsOf(value)])
}

/**
 * Content of any kind, large or small.
 *
 * @param {Random} random
 * @returns {Record<string, unknown>}
 */
export function anyData (random) {
  if (random.next() < 0.6) return { ...makeData(random, random.pick([1, 2, 26])) }
  return {
    text: `Żółty № ${random.word(9)} 東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n </script> $& $1`,
    'key with ünï.dots, and "quotes"': { 1: 'one', '': null, constructor: 'c', url: '/seed/v1' },
    numbers: [0, -1.5, 1e21, 2 ** 53, 0.1, random.int(1, 1e9)],
    others: [true, false, null, [], {}, [[{ deep: [{ deeper: '…' }] }]]]
  }
}

/**
 * @template T
 * @param {readonly string[]} names
 * @param {(name: string) => T} make
 * @returns {Record<string, T>}
 */
function byName (names, make) {
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}

/** @param {Random} random @param {number} count */
function newNames ({ word, int }, count) {
  return Array.from({ length: count }, (_, index) => `${word(int(3, 6))}${index}`)
}

/** @param {Random} random */
function makeText ({ pick, word, int }) {
  return `${pick(openings)} ${word(int(6, 10))}${pick(endings)}`
}

/** @param {Random} random */
function makeRegion (random) {
  const { int, pick, word } = random
  return {
    name: `${pick(places)} ${word(4)}`,
    currency: pick(['EUR', 'PLN', 'JPY', 'BRL', 'CHF']),
    open: int(0, 4) > 0,
    taxes: byName(['books', 'food', 'other'], () => int(0, 250) / 10),
    stores: Array.from({ length: 3 }, () => makeStore(random))
  }
}

/** @param {Random} random @returns {Store} */
function makeStore ({ int, pick, word }) {
  return {
    id: int(1, 1e6),
    name: `${pick(places)}, ${word(7)}`,
    hours: { opens: `${int(6, 10)}:00`, closes: `${int(17, 22)}:30` },
    place: { lat: int(-9000, 9000) / 100, lon: int(-18000, 18000) / 100 }
  }
}

/** @param {Random} random */
function makeFeature ({ int, pick }) {
  return {
    on: int(0, 1) === 1,
    share: int(0, 100) / 100,
    rules: Array.from({ length: 2 }, () => ({
      country: pick(['FR', 'PL', 'JP', 'BR', 'CH']),
      from: int(0, 2) === 0 ? null : int(1, 400)
    }))
  }
}

const languages = ['de', 'en', 'el', 'ja', 'pl', 'pt']
const screens = ['welcome', 'search', 'basket', 'payment', 'orders', 'account']
const labels = ['title', 'hint', 'action', 'error']
const openings = ['Bitte', 'Please', 'Παρακαλώ', 'どうぞ', 'Proszę', 'Por favor,', 'Noch', 'Zażółć', 'Não', '“Yes”']
const endings = ['.', '!', ' …', '?', ' → 🛒']
const places = ['Zürich', 'Kraków', '東京', 'São Paulo', 'Αθήνα', 'Genève', 'Sheffield']
