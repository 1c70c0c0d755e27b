/**
 * What a parameter is, and the values that careless code takes for one of that kind, or for another one. Values lie in
 * families: each misleads one way of reading them, so one of each family is enough for a check. Whether a value is
 * refused is for the slow server to say.
 *
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 *
 * @typedef {'number' | 'key' | 'text'} Kind number: a whole one from 1 on; key: one of those that are known
 */

/** Names that every plain object has without having been given them. */
export const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

/** What has a meaning in a URL has to survive the way into a server; é comes in two spellings. */
const specials = ['é', 'e\u0301', 'ß', '東', '&', '=', '+', '%', ' ', '#', '?', '/', '"', '\\', '%41', ';', '🎬']
const specialsInText = 5

/** By what they mislead; as written in a URL. @type {((n: number) => string[])[]} */
const numberFamilies = [
  // a limit of 0, or none
  () => ['0', '-1', '-0'],
  // Number
  (n) => [`+${n}`, `%2B${n}`, `${n}.0`, `${n}e0`, `0x${n.toString(16)}`, `0o${n.toString(8)}`, `%20${n}`, `${n}%09`],
  // parseInt and parseFloat
  (n) => [`${n}x`, `${n}.5`, `${n}.999`, `${n},5`, `${n}_000`, `${n}%20x`, `${n}e-1`],
  // a pattern that looks at a part, or a line
  (n) => [`x${n}`, `-${n}`, `${n}%0Ax`, `x%0A${n}`, `${n}%0A`],
  // a comparison that no such value passes or fails
  () => ['NaN', 'Infinity', '1e400', 'ten', '%D9%A3'],
  // a look into an object or an array
  () => [...inherited, 'length']
]

/**
 * No whole numbers from 1 on, one of each family, as written in a URL.
 *
 * @param {Random} random
 * @param {number} [good] that the route takes
 * @returns {string[]}
 */
export function oddNumbers (random, good = random.int(1, 3)) {
  return numberFamilies.map((family) => random.pick(family(good)))
}

/**
 * Keys that nobody was given, one of each family.
 *
 * @param {Random} random
 * @param {string} [good] one that's known
 * @returns {string[]}
 */
export function oddKeys (random, good = random.word(6)) {
  const near = random.pick([`${good}${random.word(1)}`, good.slice(0, -1)])
  return [random.word(7), random.pick(inherited), '__proto__', near]
}

/** In JSON. @type {Record<Kind, (good: any, random: Random) => unknown[]>} */
const wrongIn = {
  number: (good) => [0, -good, good + 0.5, String(good), [good], null, true, undefined],
  key: (good, random) => [...oddKeys(random, good), ...inherited, 0, null, undefined],
  text: (good) => ['', null, 7, undefined, [good]]
}

/**
 * Bodies with one field that is wrong, each in every way of its kind, and an empty one.
 *
 * @param {Random} random
 * @param {Record<string, any>} good
 * @param {Record<string, Kind>} kinds of its fields
 * @returns {Record<string, unknown>[]}
 */
export function wrongBodies (random, good, kinds) {
  return [
    ...Object.entries(kinds).flatMap(([field, kind]) =>
      wrongIn[kind](good[field], random).map((value) => ({ ...good, [field]: value }))),
    {}
  ]
}

/**
 * The check that sends them all.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.path
 * @param {(given: Given) => unknown[]} options.bodies
 * @param {(given: Given) => Promise<unknown>} [options.sees] what no refused one may change
 * @returns {Check}
 */
export function refusesAll ({ name, path, bodies, sees = async () => '' }) {
  return {
    name,
    when: ['before'],
    run: async (given) => {
      const before = await sees(given)
      await Promise.all(bodies(given).map(async (json) => {
        const { status } = await given.post(path, { json })
        if (status !== 400) given.fail(`POST ${path} ${JSON.stringify(json)}: expected status 400, got ${status}`)
      }))
      const after = await sees(given)
      if (after !== before) given.fail(`${before} before some were refused, and ${after} afterwards`)
    }
  }
}

/** A text that is troublesome in a URL, in a file and in a table of names. @param {Random} random */
export function oddText (random) {
  return `${random.word(6)}${random.shuffle(specials).slice(0, specialsInText).join('')}${random.int(1, 9)}`
}

/**
 * A text in a query string: as a script writes it, as a form does, or in the spelling of another language's library.
 *
 * @param {Random} random
 * @param {string} text
 */
export function inQuery (random, text) {
  const encoded = encodeURIComponent(text)
  return random.pick([
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replaceAll('%20', '+').replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  ])
}

/**
 * A value of a header that a log may stumble over.
 *
 * @param {Random} random
 * @param {string} word that it begins with
 */
export function oddHeader (random, word) {
  return random.pick([
    `${word}"quoted"`,
    `${word}\\back\\`,
    `${word}","level":"none`,
    `${word}\ttab`,
    `${word}%0a%s`,
    `${word}<{[':]}>`,
    `${word}-${'x'.repeat(random.int(100, 300))}`
  ])
}
