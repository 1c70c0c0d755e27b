import assert from 'node:assert/strict'
import test from 'node:test'
import jwt from 'jsonwebtoken'
import { almost, readToken } from '../../lessons/shared/logins.js'
import { createRandom } from '../../runner/shared/random.js'

const secret = 'a secret of thirty-two letters..'
const seconds = 900
const headers = { date: new Date().toUTCString() }
const now = Math.floor(Date.now() / 1000)
const problemOf = (/** @type {object} */ claims, by = secret) =>
  readToken(jwt.sign({ sub: 'ada', ...claims }, by), secret, { seconds, headers, subject: 'ada' }).problem

test('a token is right if it’s signed, the user’s, and lives as long as it should', () => {
  assert.equal(problemOf({ exp: now + seconds }), undefined)
  assert.match(String(problemOf({ exp: now + seconds / 2 })), /^expires 4\d\d s after the answer was made, not 900 s/)
  assert.match(String(problemOf({ exp: now - 60 })), /^expires -\d+ s after the answer was made, not 900 s/)
  assert.match(String(problemOf({ exp: now + 2 * seconds })), /not 900 s after it$/)
  assert.equal(problemOf({}), 'never expires: it has no exp')
  assert.match(String(problemOf({ exp: now + seconds }, 'another secret of as many letters')), /invalid signature/)
  assert.match(String(problemOf({ exp: now + seconds, sub: 'bob' })), /subject invalid/)
})

test('a password that’s almost the same is another one that can be sent: no character is cut in half', () => {
  for (let seed = 0; seed < 200; seed++) {
    const guess = almost('p😀s𝒳ÿ', createRandom(String(seed)))
    assert.notEqual(guess, 'p😀s𝒳ÿ')
    assert.equal(decodeURIComponent(encodeURIComponent(guess)), guess)
  }
})
