import { categories, languages, makeItem } from './shop.js'

/**
 * Requests for lists, new items, and what both look like.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ id: number, name: string, category: string, price: number }} Item
 * @typedef {typeof everything} Query with its path
 */

const defaults = { category: '', q: '', limit: 10, offset: 0 }
export const everything = { ...defaults, path: '/items' }
const parts = ['o', 'la', 'é', 'BR', 'table', 'CAFÉ', 'ö', 'plain lamp', 'nothing-like-this', '.*', 'lamp clock']

/** @param {Query} query @param {Item} item */
function finds ({ category, q }, item) {
  return (category === '' || item.category === category) && item.name.toLowerCase().includes(q.toLowerCase())
}

/** @param {Item[]} all @param {Query} query */
export function listed (all, query) {
  const found = all.filter((item) => finds(query, item))
  const items = found.slice(query.offset, query.offset + query.limit)
  return { total: found.length, items: items.map(({ id, name, category, price }) => ({ id, name, category, price })) }
}

const euros = new Map(languages.map((one) => [one, new Intl.NumberFormat(one, { style: 'currency', currency: 'EUR' })]))

/** @param {Item | undefined} item @param {{ language: string }} client */
export function shown (item, { language }) {
  return item && { ...item, priceText: euros.get(language)?.format(item.price) }
}

/** Now and then an earlier one with its category in capitals. @param {Random} random @param {Query[]} past */
export function anyQuery (random, past = []) {
  const before = past.filter(({ category, path }) => category !== '' && path.includes(`category=${category}`))
  if (before.length > 0 && random.int(1, 2) === 1) {
    const { category, path, ...query } = random.pick(before.slice(-2))
    const capitals = category.toUpperCase()
    return { ...query, category: capitals, path: path.replace(`category=${category}`, `category=${capitals}`) }
  }
  const some = random.int(1, 4) > 1 ? categories : ['none', 'Garden', 'constructor', '__proto__']
  const limit = random.pick([10, random.int(5, 20), random.int(5, 20), random.pick([1, 9, 50])])
  return asWritten(random, {
    category: random.pick(['', random.pick(some), random.pick(categories)]),
    q: random.pick(['', random.pick(parts)]),
    limit,
    offset: random.pick([0, 0, limit, 2 * limit, random.pick([1, 390, 9999])])
  })
}

/** One that finds an item, mostly an earlier one. @param {Random} random @param {Item} item @param {Query[]} past */
export function queryFor (random, item, past) {
  const again = past.filter((query) => finds(query, item))
  const byText = again.filter(({ q }) => q !== '')
  if (again.length > 0 && random.int(1, 3) > 1) return random.pick(byText.length > 0 ? byText : again)
  return asWritten(random, { ...defaults, q: item.name.slice(-6).trim().toUpperCase() })
}

/** @param {Random} random */
export function wrongQueries (random) {
  const [limits, offsets] = [['', '0', '51', '100', '-1', 'ten', '5x', '1.5'], ['', '-1', 'x', '1.5']]
  return [
    ...limits.map((limit) => ({ fields: ['limit'], ...asWritten(random, { limit, offset: 3 }) })),
    ...offsets.map((offset) => ({ fields: ['offset'], ...asWritten(random, { limit: 12, offset }) })),
    { fields: ['limit', 'offset'], ...asWritten(random, { limit: random.pick(limits), offset: random.pick(offsets) }) }
  ]
}

/** @param {Random} random @param {Record<string, any>} query @returns {any} */
function asWritten (random, query) {
  const pairs = random.shuffle(Object.entries(query))
    .filter(([name, value]) => value !== /** @type {any} */ (defaults)[name] || random.int(1, 4) === 1)
  if (pairs.length === 0) return everything
  // The first counts.
  if (random.int(1, 6) === 1) pairs.push([random.pick(pairs)[0], random.pick(['1', 'office'])])
  const operator = pairs.some(([name]) => name === 'category') ? 'sort' : 'category[$ne]'
  const unknown = random.pick(['', '', '', '', `&${operator}=garden`, '&page=2', '&$where=1', '&toString=1'])
  const texts = pairs.map(([name, value]) => {
    const text = random.int(1, 6) === 1 ? soiled(random, `${value}`) : `${value}`
    return `${name}=${encodeURIComponent(text).replaceAll('%20', random.pick(['%20', '+']))}`
  })
  return { ...query, path: `/items?${texts.join('&')}${unknown}` }
}

/** With what is taken out again of a text from a client. @param {Random} random @param {string} text */
function soiled (random, text) {
  const [before, inside, after] = ['', '', ''].map(() => random.pick(['', '\u0000', '\u001f', '\u007f', '\t']))
  const at = random.int(0, text.length)
  return `${random.pick(['', ' '])}${before} ${text.slice(0, at)}${inside}${text.slice(at)}  ${after}`
}

/** As a client may send it. @param {Random} random @returns {Record<string, any>} */
export function anyItem (random) {
  const { name, price, ...item } = makeItem(random)
  const word = random.word(6)
  const named = random.pick([name, `C:\\${word}"/`, `Łódź 東京 “x” ${word}`, `${'ÿ'.repeat(73)} ${word}`])
  return {
    ...item,
    price: random.pick([price, price, random.int(1, 1e7) / 100, random.int(1, 1e8) / 1e3, 100000, 0.001]),
    ...random.pick([{}, {}, { description: soiled(random, `${name}, ${word}`) }]),
    name: random.pick([named, soiled(random, named)]),
    ...random.pick([{}, { id: 1, extra: { deep: [1] } }])
  }
}

/** Mostly one for an earlier list. @param {Random} random @param {Query[]} past @param {number} limit in bytes */
export function nextItem (random, past, limit) {
  const item = anyItem(random)
  if (random.int(1, 5) === 1) return padded(item, limit)
  const { q, category } = random.pick([everything, ...past.filter(({ q }) => q !== '')])
  return {
    ...item,
    ...q !== '' && { name: `${q.toUpperCase()} ${random.word(4)}é` },
    ...categories.includes(category) && { category }
  }
}

/** With characters of two bytes: a limit counts bytes. @param {object} item @param {number} bytes */
export function padded (item, bytes) {
  const room = bytes - Buffer.byteLength(JSON.stringify({ ...item, description: '' }))
  return { ...item, description: 'é'.repeat(room >> 1) + 'e'.repeat(room % 2) }
}

/** What is kept of it. @param {Record<string, any>} sent */
export function kept ({ name, category, price, stock, description = '' }) {
  const clean = (/** @type {string} */ text) => text.replace(/\p{Cc}/gu, '').trim()
  return { name: clean(name), category, price, stock, description: clean(description) }
}

/** @type {[field: string, value: unknown][]} */
const faults = [
  ['name', undefined], ['name', ''], ['name', ' \t '], ['name', 'x'.repeat(81)], ['name', 7], ['name', ['x']],
  ['category', 'Garden'], ['category', 'constructor'], ['category', undefined], ['price', '5'], ['price', 0],
  ['price', -1], ['price', 100000.01], ['price', null], ['price', [5]], ['stock', 1.5], ['stock', -1], ['stock', '3'],
  ['stock', null], ['description', 7], ['description', null]
]

/** @param {Random} random @param {object} item */
export function wrongItem (random, item) {
  const wrong = random.shuffle(faults).slice(0, random.int(1, 5))
  return random.int(1, 8) === 1 ? {} : { ...item, ...Object.fromEntries(wrong) }
}

/** @param {Record<string, unknown>} sent */
export function wrongFields (sent) {
  return ['category', 'description', 'name', 'price', 'stock'].filter((field) => sent[field] === undefined
    ? field !== 'description'
    : faults.some(([name, value]) => name === field && value === sent[field]))
}
