import { patch } from '../apply.js'

export default [
  {
    name: 'valid-web-crypto',
    on: 'solution',
    why: 'Web Crypto computes the hash.',
    change: patch`
      -import { pbkdf2 as pbkdf2WithCallback, randomBytes, timingSafeEqual } from 'node:crypto'
      +import { randomBytes, timingSafeEqual } from 'node:crypto'
      @@
      -import { promisify } from 'node:util'
      @@
      -const pbkdf2 = promisify(pbkdf2WithCallback)
      +const { subtle } = globalThis.crypto
      @@
      -const DIGEST = 'sha512'
      +const DIGEST = 'SHA-512'
      @@
      -function hash (password, salt) {
      -  return pbkdf2(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
      +async function hash (password, salt) {
      +  const key = await subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits'])
      +  const how = { name: 'PBKDF2', hash: DIGEST, salt, iterations: ITERATIONS }
      +  return Buffer.from(await subtle.deriveBits(how, key, HASH_BYTES * 8))
    `
  }
]
