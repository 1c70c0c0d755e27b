import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { choose, ofShard, seedOf } from './chosen.js'
import { temporaryFolder } from './temporary.js'

const cases = Array.from({ length: 40 }, (_, at) => `${at < 20 ? '01-a' : '02-b'}: case ${at}`)
const choice = { whole: false, shard: '1/1', only: undefined, seed: 'one', isChanged: () => false }
/** @param {Partial<import('./chosen.js').Choice>} [given] */
const some = (given) => choose(cases, String, 5, { ...choice, ...given })

test('a few are chosen by the seed alone, in their order', () => {
  assert.equal(some().length, 5)
  assert.deepEqual(some(), some())
  assert.deepEqual(some(), cases.filter((one) => some().includes(one)))
  assert.notDeepEqual(some(), some({ seed: 'two' }))
})

test('what the last commit changed comes first', () => {
  const isChanged = (/** @type {string} */ title) => title.includes('02-b')
  assert.ok(some({ isChanged }).every(isChanged))
  assert.ok(some({ isChanged: (title) => title === cases[7] }).includes(cases[7]))
})

test('the whole is all of them, each in one of its shards; named cases aren’t sharded', () => {
  assert.deepEqual(some({ whole: true }), cases)
  const shards = ['1/3', '2/3', '3/3'].map((shard) => some({ whole: true, shard }))
  assert.deepEqual(shards.flat().sort(), [...cases].sort())
  assert.deepEqual(some({ only: 'case 3' }).length, 11)
  for (const shard of ['0/3', '4/3', '1', 'x/y', '']) assert.throws(() => ofShard(cases, shard), /not like 1\/4/)
})

test('the seed is that of the contents, wherever they lie', (t) => {
  const [one, other] = [makeTree(t), makeTree(t)]
  assert.equal(seedOf(one), seedOf(other))
  fs.appendFileSync(path.join(other, 'runner', 'a.js'), '\n')
  assert.notEqual(seedOf(one), seedOf(other))
})

/** @param {import('node:test').TestContext} t */
function makeTree (t) {
  const dir = temporaryFolder(t)
  for (const folder of ['lessons', 'runner', 'slow-servers', 'solutions', 'test']) {
    fs.mkdirSync(path.join(dir, folder))
    fs.writeFileSync(path.join(dir, folder, 'a.js'), folder)
  }
  return dir
}
