import assert from 'node:assert/strict'
import test from 'node:test'
import { expectations } from '../../runner/check/index.js'

/** @type {any[]} */
const entries = [
  { number: 1, folder: '01-a', lesson: { gates: [{ name: 'list', kind: 'rate', target: 2 }] } },
  {
    number: 2,
    folder: '02-b',
    lesson: {
      gates: [{ name: 'both cores', kind: 'rate', target: (/** @type {any} */ { cores }) => cores < 2 ? undefined : 2 }]
    }
  }
]
const times = { pace: 1, seconds: { '01-a': 10, '02-b': 20 } }

test('a slower machine takes longer, and what it cannot show is named', () => {
  assert.deepEqual(expectations(entries, { times, pace: 1, machine: { cores: 2 } }), [
    { lesson: 'lesson 1', text: 'about 10 s' },
    { lesson: 'lesson 2', text: 'about 20 s' }
  ])
  assert.deepEqual(expectations(entries, { times, pace: 2, machine: { cores: 1 } }), [
    { lesson: 'lesson 1', text: 'about 16 s' },
    { lesson: 'lesson 2', text: 'about 32 s, without “both cores”' }
  ])
})

test('no check is expected to take longer than any may, and nothing is said of what was never timed', () => {
  const [slow] = expectations(entries, { times, pace: 40, machine: { cores: 2 } })
  assert.equal(slow.text, 'about 70 s')
  assert.deepEqual(expectations(entries, { times: null, pace: 1, machine: { cores: 2 } })[0].text, '')
})
