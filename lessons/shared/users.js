import { pbkdf2, pbkdf2Sync } from 'node:crypto'
import { promisify } from 'node:util'

/** @import { Random } from '../../runner/lesson/index.js' */

const saltBytes = 128
/** Users who registered long ago have a hash of fewer iterations: so many times fewer. */
const olderBy = 5
const hashBytes = 512
/** @type {'sha512'} */
const hashDigest = 'sha512'
const firstNames = [
  'Ada', 'Björn', 'Chloé', 'Daniel', 'Emőke', 'Farid', 'Grace', 'Hanna', 'Ingrid', 'José', 'Kenji', 'Łucja', 'Mei',
  'Noor', 'Olga', 'Priya'
]
const lastNames = [
  'Andersen', 'Brontë', 'Castro', 'Dvořák', 'Eriksson', 'Fischer', 'García', 'Hopper', 'Ivanova', 'Jensen', 'Kovács',
  'Lovelace', 'Müller', 'Nakamura', 'Okafor', 'Šimić'
]

/**
 * @typedef {object} StoredUser
 * @property {string} id
 * @property {string} email
 * @property {string} firstName
 * @property {string} lastName
 * @property {string} salt 128 bytes, hex
 * @property {string} hash 512 bytes, hex: pbkdf2(password, the salt's bytes, iterations, 512, digest)
 * @property {number} iterations
 * @property {'sha512'} digest
 */

/**
 * Makes users with hashed passwords. The same random source gives the same users.
 *
 * @param {Random} random
 * @param {{ count: number, older?: number, iterations?: number, speed?: number }} options older: so many at the end
 *   have a hash of fewer iterations; speed: of a core, 1 or less; the slower it is, the fewer iterations
 * @returns {Promise<{ users: StoredUser[], passwords: Record<string, string>, hashMs: number }>}
 *   passwords: by e-mail; hashMs: ms that one hash takes on this machine when nothing is in its way
 */
export async function makeUsers (random, { count, older = 0, iterations: most = 10_000, speed = 1 }) {
  const full = Math.round(most * speed)
  /** @type {Record<string, string>} */
  const passwords = {}
  const drafts = Array.from({ length: count }, (_, index) => {
    const firstName = random.pick(firstNames)
    const lastName = random.pick(lastNames)
    const email = `${asciiLetters(firstName)}.${asciiLetters(lastName)}.${index + 1}@${random.word(6)}.example`
    passwords[email] = makePassword(random, index)
    const iterations = index < count - older ? full : Math.round(full / olderBy)
    return { id: uuid(random), email, firstName, lastName, salt: random.bytes(saltBytes).toString('hex'), iterations }
  })
  const users = await Promise.all(drafts.map(async ({ iterations, ...draft }) => {
    const salt = Buffer.from(draft.salt, 'hex')
    const hash = await promisify(pbkdf2)(passwords[draft.email], salt, iterations, hashBytes, hashDigest)
    return { ...draft, hash: hash.toString('hex'), iterations, digest: hashDigest }
  }))
  return { users, passwords, hashMs: timeHash(random.bytes(saltBytes), full) }
}

/**
 * A user who can no longer log in: comparing all bytes of the hash finds one that differs.
 *
 * @param {StoredUser} user
 * @param {number} at which of the half bytes
 */
export function damage (user, at) {
  const { hash } = user
  user.hash = hash.slice(0, at) + (hash[at] === '0' ? '1' : '0') + hash.slice(at + 1)
}

/**
 * Every fourth password isn't plain ASCII: a server that decodes or normalises it wrongly refuses its
 * owner. Others are long: a server that reads only the beginning lets others in.
 *
 * @param {Random} random @param {number} index
 */
function makePassword (random, index) {
  const word = random.word(random.int(10, 14))
  if (index % 4 === 3) return `${word}éo\u0308①`
  return index % 4 === 1 ? `${word} ${random.word(80)} «Ω» ${random.word(70)}` : word + random.int(10, 99)
}

/**
 * Other programs can make a hash slower, never faster: the smallest of three. On a busy machine even that is the time
 * of waiting for a core, which the CPU time leaves out; it is coarse on Windows, so it is taken over all three.
 *
 * @param {Buffer} salt @param {number} iterations
 */
function timeHash (salt, iterations) {
  const tries = 3
  const before = process.cpuUsage()
  const durations = Array.from({ length: tries }, () => {
    const start = performance.now()
    pbkdf2Sync('correct horse battery', salt, iterations, hashBytes, hashDigest)
    return performance.now() - start
  })
  const { user, system } = process.cpuUsage(before)
  return Math.min(...durations, (user + system) / 1000 / tries)
}

/** @param {string} name */
function asciiLetters (name) {
  return name.normalize('NFD').toLowerCase().replace(/ł/g, 'l').replace(/[^a-z]/g, '')
}

/** A version 4 UUID. @param {Random} random */
export function uuid (random) {
  const hex = random.bytes(16).toString('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
