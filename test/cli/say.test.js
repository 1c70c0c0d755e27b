import assert from 'node:assert/strict'
import test from 'node:test'
import { say } from '../../runner/cli/say.js'

const sentences = [
  'The write-up of lesson 1 lies in solutions/01-sync-login/README.md',
  'Short.',
  'word '.repeat(40).trim()
]

/** @param {{ isTTY?: boolean, columns?: number }} look */
function said (look) {
  let text = ''
  say({ ...look, write: (more) => { text += more } }, ...sentences)
  return text
}

test('a pipe gets whole lines', () => {
  for (const look of [{}, { columns: 20 }]) {
    assert.equal(said(look), sentences.map((sentence) => `${sentence}\n`).join(''))
  }
})

test('a narrow window gets lines broken between words', () => {
  const expected = 'The write-up of lesson 1 lies in\nsolutions/01-sync-login/README.md\nShort.\nword word'
  assert.ok(said({ isTTY: true, columns: 46 }).startsWith(expected))
  assert.ok(said({ isTTY: true, columns: 1 }).startsWith(expected))
})
