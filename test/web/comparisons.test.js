import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { signalChild } from '../../runner/system/index.js'
import { comparisonId, keepComparison, readComparisons } from '../../runner/workspace/index.js'
import { comparisonPage, comparisonsPage } from '../../runner/web/pages/index.js'
import { cli, withoutNpm } from '../cli/run.js'
import { servers } from '../compare/two-servers.js'
import { gate, passed } from '../report/records.js'
import { temporaryFolder } from '../temporary.js'
import { openWeb } from './open.js'

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

test('a comparison in a terminal is followed, and found afterwards with its profiles', async (t) => {
  const web = await openWeb(t)
  const place = servers(t, { old: 'res.end("x")', new: 'res.end("x")' })
  const run = (/** @type {string[]} */ ...args) => {
    const options = { cwd: place, env: withoutNpm(web.env) }
    const child = spawn(process.execPath, [cli, 'compare', 'old', 'new', ...args], { ...options, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    t.after(() => {
      signalChild(child, 'SIGTERM')
      return ended
    })
    return ended
  }
  const heard = await web.listen()
  const ended = run('--seconds', '1')
  const { data: job } = await heard.until(({ name, data }) => name === 'job' && data.kind === 'compare')
  const { id, before, after } = job.comparison
  assert.deepEqual([job.state, job.elsewhere, job.lesson, before, after], ['running', true, '', 'old', 'new'])
  assert.match((await web.ask('GET', '/comparisons')).text, new RegExp(`Running now:.*${id}`, 's'))
  assert.match((await web.ask('GET', '/')).text, new RegExp(`Running now:\\s<a href="/comparisons/${id}"`))
  assert.equal((await web.ask('GET', `/comparisons/${id}`)).status, 200)
  await heard.until(({ name, data }) => name === 'progress' && data.type === 'round')
  await heard.until(({ name, data }) => name === 'state' && data.job?.state === 'done')
  await ended
  assert.match((await web.ask('GET', `/comparisons/${id}`)).text, /Same answers: \d of \d passed/)

  await run('--profile')
  const { text } = await web.ask('GET', `/comparisons/${id}`)
  const [, address] = /<iframe src="([^"]+)"/.exec(text) ?? []
  const report = await web.ask('GET', address)
  assert.match(report.text, /old above new/)
  assert.match(String(report.headers['content-security-policy']), /^default-src 'none'.*sandbox allow-scripts$/)
  for (const nowhere of [`/comparisons/${id}x`, '/comparisons/..%2f..', '/comparisons/none/report']) {
    assert.equal((await web.ask('GET', nowhere)).status, 404, nowhere)
  }
  // A page starts no commands of people's own.
  assert.equal((await web.ask('POST', '/api/jobs', { body: { kind: 'compare', lesson: 'mini' } })).status, 400)
})
