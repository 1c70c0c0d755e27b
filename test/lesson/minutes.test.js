import assert from 'node:assert/strict'
import test from 'node:test'
import { aimIn, effortIn } from '../../runner/lesson/index.js'
import { minutesToRead } from '../content/form.js'

test('125 words take a minute, and what isn’t shown takes no time', () => {
  assert.equal(minutesToRead('it’s one-two 3.5 '.repeat(125)), 3)
  assert.equal(minutesToRead('[one](../../docs/two.md#three-four) '.repeat(125)), 1)
  assert.equal(minutesToRead(`<!-- ${'word '.repeat(1000)}-->`), 1)
})

test('what a text says of the work', () => {
  const text = '# One\n\n- **Time** about 6 minutes to read and 30 to work. More.\n- **Difficulty** easy\n'
  assert.deepEqual(effortIn(text), { minutes: 30, difficulty: 'easy' })
  const aim = '- **You will be able to** find\n  a [loop](x.md), and `it`.\n'
  assert.equal(aimIn(aim + text), 'find a loop, and `it`.')
  assert.equal(aimIn('# One'), null)
  assert.deepEqual(effortIn('# One'), { minutes: null, difficulty: null })
})
