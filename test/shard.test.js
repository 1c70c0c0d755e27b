import assert from 'node:assert/strict'
import test from 'node:test'
import { casesOf, ofShard } from './shard.js'

const cases = Array.from({ length: 40 }, (_, at) => `${at < 20 ? '01-a' : '02-b'}: case ${at}`)
/** @param {{ only?: string, shard?: string }} [choice] */
const some = ({ only, shard = '1/1' } = {}) => casesOf(cases, String, { only, shard })

test('without a choice it’s all of them, and each is in one of the shards; named cases aren’t sharded', () => {
  assert.deepEqual(some(), cases)
  const shards = ['1/3', '2/3', '3/3'].map((shard) => some({ shard }))
  assert.deepEqual(shards.flat().sort(), [...cases].sort())
  assert.deepEqual(some({ only: 'case 3', shard: '2/3' }).length, 11)
  for (const shard of ['0/3', '4/3', '1', 'x/y', '']) assert.throws(() => ofShard(cases, shard), /not like 1\/4/)
})
