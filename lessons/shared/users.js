import { pbkdf2, pbkdf2Sync } from 'node:crypto'
import { promisify } from 'node:util'

/** @import { Random } from '../../runner/lesson/index.js' */

const saltBytes = 128
const hashBytes = 512
/** @type {'sha512'} */
const hashDigest = 'sha512'
const firstNames = [
  'Ada',
  'Björn',
  'Chloé',
  'Daniel',
  'Emőke',
  'Farid',
  'Grace',
  'Hanna',
  'Ingrid',
  'José',
  'Kenji',
  'Łucja',
  'Mei',
  'Noor',
  'Olga',
  'Priya'
]
const lastNames = [
  'Andersen',
  'Brontë',
  'Castro',
  'Dvořák',
  'Eriksson',
  'Fischer',
  'García',
  'Hopper',
  'Ivanova',
  'Jensen',
  'Kovács',
  'Lovelace',
  'Müller',
  'Nakamura',
  'Okafor',
  'Šimić'
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
 * @param {{ count: number, iterations?: number, speed?: number }} options speed: of a core, 1 or less; the slower it is,
 *   the fewer iterations
 * @returns {Promise<{ users: StoredUser[], passwords: Record<string, string>, hashMs: number }>}
 *   passwords: by e-mail; hashMs: ms that one hash takes on this machine when nothing is in its way
 */
export async function makeUsers (random, { count, iterations: most = 10_000, speed = 1 }) {
  const iterations = Math.round(most * speed)
  /** @type {Record<string, string>} */
  const passwords = {}
  const drafts = Array.from({ length: count }, (_, index) => {
    const firstName = random.pick(firstNames)
    const lastName = random.pick(lastNames)
    const email = `${asciiLetters(firstName)}.${asciiLetters(lastName)}.${index + 1}@${random.word(6)}.example`
    // Every fourth password is not plain ASCII: whoever reads it with a wrong encoding refuses its owner.
    passwords[email] = random.word(random.int(10, 14)) + (index % 4 === 3 ? 'é' : random.int(10, 99))
    return { id: uuid(random), email, firstName, lastName, salt: random.bytes(saltBytes).toString('hex') }
  })
  const hashes = await Promise.all(drafts.map(async ({ email, salt }) => {
    const hash = await promisify(pbkdf2)(passwords[email], Buffer.from(salt, 'hex'), iterations, hashBytes, hashDigest)
    return hash.toString('hex')
  }))
  const users = drafts.map((draft, index) => ({ ...draft, hash: hashes[index], iterations, digest: hashDigest }))
  return { users, passwords, hashMs: timeHash(random.bytes(saltBytes), iterations) }
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
function uuid (random) {
  const bytes = random.bytes(16)
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
