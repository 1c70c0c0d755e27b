import { createHmac, randomBytes } from 'node:crypto'
import path from 'node:path'
import { isEqual } from '../../http/index.js'
import { readJson, writeFileAtomic } from '../../workspace/index.js'

/**
 * What only this user's processes can make: all of it comes from one secret in a file that only this user may read.
 *
 * @typedef {object} Running a workshop that is open
 * @property {string} url
 * @property {string} start tells it from any other
 *
 * @typedef {Running & { proof: string }} Published
 */

const version = 1

/** @param {string} workspace @returns {Promise<string | null>} null: missing or unreadable */
export async function readSecret (workspace) {
  const { value } = await readJson(fileOf(workspace))
  return value?.version === version && typeof value.secret === 'string' && value.secret !== '' ? value.secret : null
}

/**
 * It stays the same, so that browsers stay signed in.
 *
 * @param {string} workspace
 * @returns {Promise<string>}
 * @throws {import('../../errors.js').WorkshopError} it cannot be written
 */
export async function madeSecret (workspace) {
  const known = await readSecret(workspace)
  if (known !== null) return known
  const secret = randomBytes(24).toString('base64url')
  await writeFileAtomic(fileOf(workspace), `${JSON.stringify({ version, secret })}\n`, { mode: 0o600 })
  return secret
}

/** @param {Running} running @param {string} secret @returns {Published} */
export function withProof ({ url, start }, secret) {
  return { url, start, proof: sealOf(secret, 'workshop', `${url} ${start}`) }
}

/** Is it a workshop on this machine that knows the secret? @param {any} published @param {string} secret */
export function isProven ({ url, start, proof } = {}, secret) {
  const isHere = /^http:\/\/127\.0\.0\.1:\d{1,5}\/$/.test(url)
  return isHere && isEqual(String(proof), withProof({ url, start }, secret).proof)
}

/** For one browser, once. @param {string} secret @param {string} start */
export function newToken (secret, start) {
  const once = randomBytes(12).toString('base64url')
  return `${once}.${sealOf(secret, 'link', `${start} ${once}`)}`
}

/** @param {string} token @param {{ secret: string, start: string }} given @returns {string | null} its single-use id */
export function readToken (token, { secret, start }) {
  const [once, seal = ''] = token.split('.')
  return isEqual(seal, sealOf(secret, 'link', `${start} ${once}`)) ? once : null
}

/** @param {string} secret @param {'workshop' | 'link' | 'cookie'} purpose @param {string} text */
export function sealOf (secret, purpose, text) {
  return createHmac('sha256', secret).update(`${purpose} ${text}`).digest('base64url')
}

/** @param {string} workspace */
function fileOf (workspace) {
  return path.join(workspace, 'browser.json')
}
