import { createHash, randomBytes } from 'node:crypto'

/**
 * A seeded source of randomness.
 *
 * @typedef {object} Random
 * @property {() => number} next in [0, 1)
 * @property {(low: number, high: number) => number} int whole number in [low, high], both included
 * @property {<T>(list: readonly T[]) => T} pick
 * @property {<T>(list: readonly T[]) => T[]} shuffle a new list
 * @property {(length: number) => string} word lower-case letters
 * @property {(length: number) => Buffer} bytes
 * @property {(label: string) => Random} fork an independent source, the same for the same label
 */

const letters = '23456789abcdefghjkmnpqrstuvwxyz'

/**
 * A seeded source of randomness: the same seed and label give the same numbers on every machine.
 * The generator is sfc32 by Chris Doty-Humphrey (PractRand), seeded with SHA-256.
 *
 * @param {string} seed
 * @returns {Random}
 */
export function createRandom (seed) {
  const digest = createHash('sha256').update(seed).digest()
  const next = sfc32(digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), digest.readUInt32LE(12))
  /** @param {number} low @param {number} high */
  const int = (low, high) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)],
    shuffle: (list) => {
      const shuffled = [...list]
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = int(0, i)
        ;[shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]]
      }
      return shuffled
    },
    word: (length) => Array.from({ length }, () => String.fromCharCode(97 + int(0, 25))).join(''),
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(0, 255))),
    fork: (label) => createRandom(`${seed}/${label}`)
  }
}

/** @param {number} a @param {number} b @param {number} c @param {number} d */
function sfc32 (a, b, c, d) {
  const step = () => {
    const t = (a + b | 0) + d | 0
    d = d + 1 | 0
    a = b ^ b >>> 9
    b = c + (c << 3) | 0
    c = c << 21 | c >>> 11
    c = c + t | 0
    return (t >>> 0) / 4294967296
  }
  for (let i = 0; i < 15; i++) step()
  return step
}

/** A seed that can't be guessed but can be typed: three groups of four, about 59 bits. */
export function newSeed () {
  return newCode(3)
}

/**
 * A code that can't be guessed but can be typed: `b8zm-k62t`.
 *
 * @param {number} groups of four, of about 19.6 bits each
 */
export function newCode (groups) {
  const group = () => Array.from({ length: 4 }, () => letters[randomIndex()]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/**
 * `b8zm-k62t-pksh@0.8` repeats the inputs of an earlier run at the size that they had there.
 *
 * @param {string} given
 * @returns {{ seed: string, speed: number | null }} speed: of a core, 1 or less; null: to be measured
 */
export function readSeed (given) {
  const [, seed, size] = /^(.+)@(1|0\.\d+)$/.exec(given) ?? []
  return size === undefined ? { seed: given, speed: null } : { seed, speed: Number(size) }
}

/** A seed as readSeed takes it. @param {string} seed @param {number} speed */
export function sizedSeed (seed, speed) {
  return speed === 1 ? seed : `${seed}@${speed}`
}

/** Every letter is equally likely: bytes that would favour some are drawn again. */
function randomIndex () {
  for (;;) {
    const [byte] = randomBytes(1)
    if (byte < 256 - 256 % letters.length) return byte % letters.length
  }
}
