import assert from 'node:assert/strict'
import test from 'node:test'
import { withInside } from '../../runner/check/record-of.js'

test('what the inside shows replaces what the mechanism said before it, and warns once', () => {
  const startedAt = '2026-01-01T00:00:00Z'
  const before = { next: 'Look. Or wait.', warnings: ['Not for the reason.'], gates: [], startedAt }
  const sample = { place: 'Begin at server.js:3.' }
  const { warnings, next } = withInside(/** @type {any} */ (before), /** @type {any} */ ({
    lesson: { gates: [] },
    advice: 'Look.',
    inside: { samples: { baseline: null, yours: sample }, limits: new Map() },
    mechanism: { confirmed: false, figures: [{ agrees: false, text: 'CPU time 2 ms → 2 ms', does: 'falls' }] },
    warnings: ['It flooded its output.']
  }))
  assert.equal(next, 'Look. Begin at server.js:3. Or wait.')
  assert.equal(warnings.length, 2)
  assert.equal(warnings[0], 'It flooded its output.')
  assert.match(warnings[1], /^Fast enough, but not for the reason .*CPU time 2 ms → 2 ms/)
})
