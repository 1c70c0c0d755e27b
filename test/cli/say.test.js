import assert from 'node:assert/strict'
import test from 'node:test'
import { say } from '../../runner/cli/say.js'

const sentences = ['Next: read lessons/01-sync-login/README.md  first', 'Short.']

/** @param {{ isTTY?: boolean, columns?: number }} look */
function said (look) {
  let text = ''
  say({ ...look, write: (more) => { text += more } }, ...sentences)
  return text
}

test('a pipe, and a terminal that does not know its width, get whole lines', () => {
  for (const look of [{}, { columns: 20 }, { isTTY: true }, { isTTY: true, columns: 0 }]) {
    assert.equal(said(look), sentences.map((sentence) => `${sentence}\n`).join(''))
  }
})

test('a narrow window gets lines broken between words, with its last column free', () => {
  assert.equal(said({ isTTY: true, columns: 36 }), 'Next: read\nlessons/01-sync-login/README.md \nfirst\nShort.\n')
  assert.ok(said({ isTTY: true, columns: 32 }).split('\n').every((line) => line.length < 32))
  assert.equal(said({ isTTY: true, columns: 1 }).split('\n')[1].length, 20)
})
