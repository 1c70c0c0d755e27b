import { inBatches } from '../shared/batches.js'

/**
 * What a parameter is, and the values that careless code takes for one of that kind, or for another one. Values lie in
 * families: each misleads one way of reading them, so one of each family is enough for a check. Whether a value is
 * refused is for the slow server to say.
 *
 * @import { Answer, Given, Request } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 *
 * @typedef {'number' | 'key' | 'text'} Kind number: a whole one from 1 on; key: one of those that are known
 */

/** More than a server draws ahead, or has room for in something bounded, … */
const manyCount = 1100
/** … so many of them at a time. */
const atOnce = 50
const leastDifferent = 8
/** Characters that no random texts have in common. */
const longestShared = 12

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

/**
 * Keys that careless code takes for one that's known: it looks at no case, trims, decodes twice, or makes a path of it.
 *
 * @param {string} good
 */
export function alikeKeys (good) {
  const inCapitals = good.toUpperCase()
  const otherCase = good === inCapitals ? good.toLowerCase() : inCapitals
  return [otherCase, `${good} `, `%${good.charCodeAt(0).toString(16)}${good.slice(1)}`, `x/../${good}`]
}

/**
 * What careless code takes for a secret: it trims, compares numbers, or looks at a part, and nothing is missing in ''.
 *
 * @param {string} secret
 */
export function nearSecrets (secret) {
  return ['', `${secret} `, `0${secret}`, `${secret}.0`, `${secret}0`, secret.slice(0, -1)]
}

/**
 * A whole number, often the least or the largest.
 *
 * @param {Random} random @param {number} low @param {number} high
 */
export function wholeNumber (random, low, high) {
  return random.int(1, 4) === 1 ? random.pick([low, high]) : random.int(low, high)
}

/**
 * A body with fields that nobody asked for, which change nothing.
 *
 * @param {Random} random
 * @param {Record<string, unknown>} good
 * @param {Record<string, unknown>} more
 */
export function withUnasked (random, good, more) {
  return random.pick([good, { ...good, ...more }, { ...more, ...good }])
}

/** In JSON. @type {Record<Kind, (good: any, random: Random) => unknown[]>} */
const wrongIn = {
  number: (good) => [0, -good, good + 0.5, String(good), [good], null, true, undefined],
  key: (good, random) => [...oddKeys(random, good), ...alikeKeys(good), ...inherited, 0, null, undefined],
  text: (good) => ['', null, 7, undefined, [good]]
}

/**
 * Bodies with one field that is wrong, each in every way of its kind, an empty one, and none.
 *
 * @param {Random} random
 * @param {Record<string, any>} good
 * @param {Record<string, Kind>} kinds of its fields
 * @returns {unknown[]}
 */
export function wrongBodies (random, good, kinds) {
  return [
    ...Object.entries(kinds).flatMap(([field, kind]) =>
      wrongIn[kind](good[field], random).map((value) => ({ ...good, [field]: value }))),
    {},
    undefined
  ]
}

/** So many of them tell different things. */
export const leastBroken = 4

/** Text that isn't JSON. @param {Record<string, any>} good @param {number} drawn so many so far */
export function notJson (good, drawn) {
  const json = JSON.stringify(good)
  const open = json.slice(0, -1)
  const texts = [`${json}}`, `${open},`, open, '', '[', '"', `Title=${drawn}`]
  return texts[drawn % texts.length]
}

/** JSON that's no object with fields. */
export const noObjects = [null, [], 'text', 7, true]

/**
 * The same body with fields that no text asks for, some named as in its answer: careless code takes them over.
 *
 * @param {Random} random @param {Record<string, any>} good @param {string[]} answered
 */
export function withMore (random, good, answered) {
  const more = answered.map((name) => [name, random.pick([0, 7, null, random.word(6)])])
  return { ...Object.fromEntries(more), ...good, [random.word(7)]: random.word(3) }
}

/**
 * Bodies with a secret where a list of names doesn't look for it: in another spelling, further in, in a list.
 *
 * @param {string} field
 * @param {string} secret
 * @param {Record<string, any>} rest
 * @returns {unknown[]}
 */
export function misplaced (field, secret, rest) {
  const spelled = { ...rest, [field.toUpperCase()]: secret }
  return [{ ...spelled, [field]: [secret], more: { [field]: secret }, all: [spelled] }, [{ ...rest, [field]: secret }]]
}

/**
 * The check that sends them all, and what isn't even an object.
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
      const all = bodies(given)
      await Promise.all([...all, ...noObjects, [all[0]]].map(async (json) => {
        const { status } = await given.post(path, { json })
        if (status !== 400) given.fail(`POST ${path} ${JSON.stringify(json)}: expected status 400, got ${status}`)
      }))
      const after = await sees(given)
      if (after !== before) given.fail(`${before} before some were refused, and ${after} afterwards`)
    }
  }
}

/**
 * The run of a check that sends very many, a crowd at a time: what a server makes up for each never comes again, even
 * after a restart, and each of them counts.
 *
 * @param {object} options
 * @param {(given: Given) => Request} options.draw
 * @param {number} [options.count] a multiple of 50
 * @param {(answer: Answer) => Record<string, string>} [options.makes] what is new each time, by what it's called
 * @param {boolean} [options.isSecret] then two of them differ nearly everywhere, as random texts do
 * @param {(server: Given) => Promise<number>} [options.counted] goes up by one with each, in one run of the server
 * @param {(server: Given, made: Record<string, string>) => Promise<unknown>} [options.lasts] what the first one got is
 *   still good after all others
 * @param {boolean} [options.isLong] it would take the slow server too long
 * @returns {Check['run']}
 */
export function takesMany ({
  draw, count = manyCount, makes = () => ({}), isSecret = false, counted, lasts, isLong = false
}) {
  return async (given) => {
    if (isLong && given.isBaseline) return
    const seen = new Set()
    /** @type {(Promise<unknown> | undefined)[]} */
    const lasting = []
    for (const size of counted ? [count] : [count, atOnce]) {
      const server = Object.create(given, Object.getOwnPropertyDescriptors(await given.another()))
      const before = await counted?.(server) ?? 0
      const made = await inBatches({ count: size, atOnce }, async (at, agent) => {
        // Bodies in parts of one crowd, whole ones of the next: a server may make up something before it has a body.
        const answer = await server.send({ chunked: at % (2 * atOnce) < atOnce, ...draw(given), agent })
        const all = makes(answer)
        for (const [what, value] of Object.entries(all)) {
          if (seen.has(value)) answer.fail(`one of ${size} got the same ${what} as an earlier one: ${value}`)
          seen.add(value)
        }
        return all
      })
      if (isSecret) expectUnlike(made[0], made[1], given)
      const good = lasts?.(server, made[0])
      // It's awaited at the end: it takes its time.
      good?.catch(() => {})
      lasting.push(good)
      const after = await counted?.(server) ?? size
      if (after !== before + size) given.fail(`${size} more than ${before}, and ${after} count`)
    }
    await Promise.all(lasting)
  }
}

/**
 * A counter, or a time, makes texts that hardly differ, and one that repeats what's random has less of it.
 *
 * @param {Record<string, string>} one @param {Record<string, string>} other @param {Pick<Given, 'fail'>} given
 */
function expectUnlike (one, other, { fail }) {
  for (const [what, value] of Object.entries(one)) {
    const different = [...value].filter((letter, at) => letter !== other[what][at]).length
    if (different < leastDifferent) {
      fail(`the ${what} of two answers differs in only ${different} characters: can the next one be guessed?`)
    }
  }
  const all = Object.values(one).join('\n')
  for (let at = 0; at < all.length - longestShared; at++) {
    const part = all.slice(at, at + longestShared)
    if (all.includes(part, at + 1)) fail(`“${part}” comes twice in the ${Object.keys(one).join(' and ')} of one answer`)
  }
}

/** A text that is troublesome in a URL, in a file and in a table of names. @param {Random} random */
export function oddText (random) {
  return `${random.word(6)}${random.shuffle(specials).slice(0, specialsInText).join('')}${random.int(1, 9)}`
}

/**
 * A text in a query string: as a script writes it, as a form does, in the spelling of another language's library, or
 * with no more encoded than has to be.
 *
 * @param {Random} random
 * @param {string} text
 */
export function inQuery (random, text) {
  const encoded = encodeURIComponent(text)
  return random.pick([
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replaceAll('%20', '+').replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encoded.replace(/%(3D|2F|3A|40|2C)/g, decodeURIComponent)
  ])
}

/** JSON is always UTF-8, and many clients say so. @type {Record<string, string>[]} */
const jsonTypes = [
  {},
  { 'Content-Type': 'application/json; charset=utf-8' },
  { 'Content-Type': 'application/json;charset=UTF-8' },
  { 'Content-Type': 'Application/JSON' }
]

/** Headers of a request that sends JSON. @param {Random} random */
export function sayingJson (random) {
  return random.pick(jsonTypes)
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
