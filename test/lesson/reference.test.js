import assert from 'node:assert/strict'
import test from 'node:test'
import { findLessons, loadLesson, measuredIn, referenceOf } from '../../runner/lesson/index.js'

test('the ratios are between the marks, and anything else isn’t taken for one', () => {
  const text = `| list | 1 | 2 | 99× |
<!-- measured -->
| gate | slow server | this solution | ratio |
|---|---|---|---|
| list | 381 requests/s | 5116 requests/s | 12.7× |
| healthz under login load | 410 ms | 4.1 ms | 100× |
| refusals | – | 4 ms | 4 ms |

Measured by the project: a machine, 2026-11-21, the median
of 3 checks.
<!-- /measured -->
| other | 1 | 2 | 3× |`
  assert.deepEqual(measuredIn(text), {
    rows: [
      { gate: 'list', slow: '381 requests/s', solution: '5116 requests/s', ratio: 12.7 },
      { gate: 'healthz under login load', slow: '410 ms', solution: '4.1 ms', ratio: 100 }
    ],
    where: 'a machine, 2026-11-21'
  })
  assert.deepEqual(measuredIn('nothing was measured'), { rows: [], where: '' })
  assert.deepEqual(referenceOf({ solutionDir: '/no/such/folder' }), {})
})

test('every lesson about a server has a reference for one of its gates', async () => {
  for (const entry of await findLessons()) {
    const { lesson } = await loadLesson(entry)
    if (lesson.check !== undefined) continue
    const names = Object.keys(referenceOf(entry))
    assert.ok(lesson.gates.some(({ name }) => names.includes(name)), `${entry.folder}: ${names}`)
  }
})
