import assert from 'node:assert/strict'
import { WorkshopError } from '../runner/shared/errors.js'

/** An error of one line for people, for assert.rejects. @param {RegExp} expected */
export function isSentence (expected) {
  return (/** @type {Error} */ error) => {
    assert.ok(error instanceof WorkshopError, error.stack)
    assert.match(error.message, expected)
    assert.doesNotMatch(error.message, /\n/)
    return true
  }
}
