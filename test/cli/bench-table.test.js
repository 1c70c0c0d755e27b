import assert from 'node:assert/strict'
import test from 'node:test'
import { narrowTable } from '../../runner/cli/bench-table.js'
import { blockText } from '../../runner/report/index.js'

test('in a narrow window the figures of autocannon are shown one below the other', () => {
  const names = ['p1', 'p2_5', 'p50', 'p97_5', 'p99', 'average', 'stddev', 'min', 'max']
  const of = (/** @type {number} */ factor) => Object.fromEntries(names.map((name, at) => [name, (at + 1) * factor]))
  const block = narrowTable({ latency: of(1.5), requests: of(1000), bytes: of(1234567) }, '12k requests in 5s')
  assert.deepEqual(blockText(block, { columns: 40, colour: false, unicode: true }).split('\n'), [
    'Stat   Latency  Req/Sec  Bytes/Sec',
    '1%                1,000    1.23 MB',
    '2.5%      3 ms    2,000    2.47 MB',
    '50%     4.5 ms    3,000     3.7 MB',
    '97.5%     6 ms    4,000    4.94 MB',
    '99%     7.5 ms',
    'Avg       9 ms    6,000    7.41 MB',
    'Stdev  10.5 ms    7,000    8.64 MB',
    'Min               8,000    9.88 MB',
    'Max    13.5 ms',
    '12k requests in 5s'
  ])
})
