/**
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ holder: any, key: string, value: any }} Part
 */

/** Two words that have the same CRC-32, wherever they stand, … */
const twins = ['plumless', 'buckeroo']
/** … and enough of them for a hash of 32 bits. */
const twinsInText = 32

/** What careless tags do not see: those of lengths, sums, sorted values, types or a beginning. */
const changes = /** @satisfies {((parts: Part[]) => void)[]} */ ([
  (parts) => {
    const [one, other] = parts.filter(({ value }) => isText(value))
    one.holder[one.key] = other.value
    other.holder[other.key] = one.value
  },
  (parts) => replaceOne(parts, isText, (text) => text.replace(/(.)(?!\1)(.)/u, '$2$1')),
  (parts) => replaceOne(parts, isText, nextLetter),
  (parts) => replaceOne(parts, isText, (text) => [text]),
  (parts) => replaceOne(parts, (value) => typeof value === 'number', String),
  (parts) => replaceOne(parts, (value) => typeof value === 'boolean', String),
  (parts) => replaceOne(parts, (value) => Array.isArray(value) && value.length > 1, (list) => list.reverse())
])

/**
 * The same JSON with a change that a careless tag does not see, and sometimes its keys in another order.
 *
 * @param {any} json an object with at least two texts in it
 * @param {Random} random
 * @returns {any}
 */
export function changeSlightly (json, random) {
  const copy = structuredClone(json)
  random.pick(changes)(random.shuffle(partsOf(copy)))
  return random.next() < 0.3 ? Object.fromEntries(Object.entries(copy).reverse()) : copy
}

/**
 * The same JSON twice, with another letter each time. The two letters have as many bytes, and the same low byte.
 *
 * @param {any} json
 * @param {Random} random
 * @returns {[any, any]}
 */
export function differInOneLetter (json, random) {
  return differ(json, random, [0x100, 0x200].map((high) => (text) =>
    text.replace(/[a-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + high))))
}

/**
 * The same JSON twice, with another text each time, which have the same CRC-32, the same sums, and the same hash if it
 * multiplies by an odd number for each letter (Thue and Morse).
 *
 * @param {any} json
 * @param {Random} random
 * @returns {[any, any]}
 */
export function differInTwins (json, random) {
  return differ(json, random, [0, 1].map((first) => () => Array.from({ length: twinsInText }, (_, at) => {
    const ones = at.toString(2).replaceAll('0', '').length
    return twins[(first + ones) % 2]
  }).join('')))
}

/**
 * In any text but the first: that is mostly a name, which careless tags do see.
 *
 * @param {any} json @param {Random} random @param {((text: string) => string)[]} ways
 * @returns {any} one for each way
 */
function differ (json, random, ways) {
  const place = random.next()
  return ways.map((change) => {
    const copy = structuredClone(json)
    const texts = partsOf(copy).filter(({ value }) => /[a-z]/.test(isText(value) ? value : ''))
    replaceOne(texts.slice(1 + Math.floor(place * (texts.length - 1))), isText, change)
    return copy
  })
}

/** @param {string} text */
function nextLetter (text) {
  return text.replace(/[a-y]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1))
}

/** @param {Part[]} parts @param {(value: any) => boolean} isFit @param {(value: any) => unknown} change */
function replaceOne (parts, isFit, change) {
  const part = parts.find(({ value }) => isFit(value))
  if (part) part.holder[part.key] = change(part.value)
}

/** @param {unknown} value */
function isText (value) {
  return typeof value === 'string'
}

/** @param {any} holder @returns {Part[]} what is in it, at any depth */
function partsOf (holder) {
  if (typeof holder !== 'object' || holder === null) return []
  return Object.entries(holder).flatMap(([key, value]) => [{ holder, key, value }, ...partsOf(value)])
}
