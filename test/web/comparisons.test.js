import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { comparisonId, keepComparison, readComparisons } from '../../runner/workspace/index.js'
import { comparisonPage, comparisonsPage } from '../../runner/web/pages/index.js'
import { gate, passed } from '../report/records.js'
import { temporaryFolder } from '../temporary.js'

const evil = '"\'><script>alert(1)</script>'
const around = { token: '', classroom: { seat: null, room: null, isGone: false } }
/** @type {import('../../runner/judge/index.js').ResultRecord} */
const record = {
  ...passed(),
  rounds: [],
  latencies: [],
  mechanism: null,
  comparison: { before: evil, after: evil, says: 'slower' },
  gates: [gate({
    name: 'rate',
    ratio: 0.8,
    interval95: [0.78, 0.83],
    target: null,
    verdict: 'fail',
    answer: 'slower',
    servers: [evil, evil]
  })]
}
const kept = { id: '2026-01-31T09-05-00-000Z', folder: evil, before: evil, after: evil, record }

test('a comparison is shown with its own words, and nothing of it is HTML', () => {
  const page = comparisonPage({ ...around, comparison: kept, isRunning: false, profile: { id: kept.id, file: '' } })
  assert.match(page, /Slower: 0\.8\d*×\./)
  assert.doesNotMatch(page, /Not yet|>target |>baseline|>yours/)
  assert.match(page, /<iframe src="\/comparisons\/2026-01-31T09-05-00-000Z\/report" sandbox="allow-scripts"/)
  const list = comparisonsPage({ ...around, running: kept, kept: [kept, { ...kept, record: null }] })
  assert.match(list, /Running now:.*Slower.*Profiles of both/s)
  for (const html of [page, list]) assert.doesNotMatch(html, /<script>alert/)
})

test('fifty are kept, and what makes no sense is left out', async (t) => {
  const workspace = temporaryFolder(t)
  for (let day = 1; day <= 51; day++) {
    const id = comparisonId(new Date(Date.UTC(2026, 0, day)))
    await keepComparison(workspace, { ...kept, id, record: null }, day < 2 ? 'old' : '')
  }
  fs.writeFileSync(path.join(workspace, 'comparisons', `${comparisonId(new Date())}.json`), '{"folder": 1}')
  const found = await readComparisons(workspace)
  assert.deepEqual([found.length, found[0].id], [50, comparisonId(new Date(Date.UTC(2026, 0, 51)))])
  assert.equal(fs.existsSync(path.join(workspace, 'comparisons', '2026-01-01T00-00-00-000Z.html')), false)
})
