import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { runScript } from '../../runner/load/index.js'
import { measuring, takeTurn } from '../../runner/process/index.js'
import { handlers } from '../../runner/web/job-handlers.js'
import { isJoined, soundJobs } from '../../runner/web/jobs.js'
import { readLessonPage } from '../../runner/web/page-data.js'
import { root } from '../check/mini.js'
import { passed } from '../report/records.js'
import { keptPass, openWeb, playedJob, roundEvent, takeSolution } from './open.js'

/**
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { HandlerGiven } from '../../runner/web/job-handlers.js'
 */

const check = { body: { kind: 'check', lesson: 'mini' } }

test('who joins what runs', () => {
  const running = (/** @type {'check' | 'preview'} */ kind) => ({ kind, lesson: 'a', elsewhere: false })
  const [own, look] = [running('check'), running('preview')]
  assert.equal(isJoined(own, { kind: 'check', lesson: 'a' }, false), true)
  assert.equal(isJoined(own, { kind: 'profile', lesson: 'b' }, true), true, 'one at a time')
  assert.equal(isJoined(look, { kind: 'preview', lesson: 'a' }, false), true)
  assert.equal(isJoined(look, { kind: 'preview', lesson: 'a' }, true), false, 'it looked at what is no longer there')
  assert.equal(isJoined(look, { kind: 'check', lesson: 'a' }, false), false, 'a check says more')
  assert.equal(isJoined({ ...own, elsewhere: true }, { kind: 'check', lesson: 'a' }, false), true)
  assert.equal(isJoined({ ...own, elsewhere: true }, { kind: 'check', lesson: 'b' }, false), false)
})

test('a check from its beginning to its record, joined, and heard late', async (t) => {
  const played = playedJob()
  const web = await openWeb(t, root, { handlers: { ...handlers, check: played.handler } })
  const [first, home] = await Promise.all([web.listen('/lessons/mini'), web.listen()])
  const created = await web.ask('POST', '/api/jobs', check)
  assert.equal(created.status, 202)
  const { job } = created.json()
  assert.deepEqual([job.kind, job.lesson, job.state, job.elsewhere], ['check', 'mini', 'waiting', false])

  const { entry, onProgress, end: endWith } = await played.begun
  await home.until('next', /Running now: lesson 1/)
  for (const number of [1, 2, 3]) onProgress(roundEvent(number))
  const { result, clock } = await first.until('count', /round 3/)
  assert.equal(result, '', 'the last one is of another time')
  assert.match(clock, /data-state="running" data-own data-taken .*Cancel/s)
  const joined = await web.ask('POST', '/api/jobs', { body: { kind: 'profile', lesson: 'mini' } })
  assert.deepEqual([joined.status, joined.json().job.id, joined.json().job.kind], [200, job.id, 'check'])
  const late = await web.listen('/lessons/mini')
  await late.until('count', /round 3/)
  late.close()

  endWith(await keptPass({ entry }))
  const end = await first.until('result', /✓<\/span> Passed/)
  assert.deepEqual([end.status, end.live, end.count], ['Check: passed.', '', ''])
  assert.match(end.clock, /data-state="done"/)
  await home.until('state', /1 of 1 lessons passed/)
  assert.equal((await web.ask('GET', '/api/lessons/mini')).json().best.verdict, 'pass')
})

test('a check is stopped, and the next job begins', async (t) => {
  const played = playedJob()
  const preview = async () => ({ message: '', record: passed() })
  const { ask, listen } = await openWeb(t, root, { handlers: { ...handlers, check: played.handler, preview } })
  const heard = await listen('/lessons/mini')
  assert.equal((await ask('DELETE', '/api/jobs/current')).status, 409)
  await ask('POST', '/api/jobs', check)
  await played.begun
  assert.equal((await ask('DELETE', '/api/jobs/current')).status, 200)
  await heard.until('status', /^Stopped\. Nothing is left running\.$/)
  await ask('POST', '/api/jobs', { body: { kind: 'preview', lesson: 'mini' } })
  const { clock } = await heard.until('result', /A quick look/)
  assert.match(clock, /data-kind="preview" data-state="done"/)
})

test('a changed copy has begun the fix; a look that saw the targets about met ticks it', async (t) => {
  const preview = async () => ({ message: '', record: passed() })
  const { ask, env, listen } = await openWeb(t, root, { handlers: { ...handlers, preview } })
  const heard = await listen('/lessons/mini')
  await ask('POST', '/api/jobs', { body: { kind: 'preview', lesson: 'mini' } })
  await heard.until('result', /A quick look/)
  const entry = await loadLesson(await resolveLesson('mini', { env }))
  const [gate] = passed().gates
  const fixAt = async (/** @type {number} */ ratio) => {
    /** @type {ResultRecord} */
    const looked = { ...passed(), verdict: 'inconclusive', gates: [{ ...gate, ratio }] }
    return (await readLessonPage(entry, env, { preview: looked })).steps[3]
  }
  assert.equal(await fixAt(Number(gate.target)), '', 'nothing has changed')
  fs.appendFileSync(path.join(entry.workspaceDir, entry.file), '// harmless\n')
  assert.equal(await fixAt(1), 'begun')
  assert.equal(await fixAt(Number(gate.target) * 0.95), 'done')
})

test('a check in a terminal shows up, and is stopped there', async (t) => {
  const { ask, env, listen } = await openWeb(t)
  const heard = await listen('/lessons/mini')
  const entry = await loadLesson(await resolveLesson('mini', { env }))
  const { release, publish } = await takeTurn(measuring)
  t.after(release)
  publish({ type: 'job', kind: 'check', dir: entry.workspaceDir, pid: process.ppid })
  const { clock } = await heard.until('clock', /data-kind="check" data-state="running" data-own/)
  assert.doesNotMatch(clock, /Cancel/)
  publish(roundEvent(1))
  await heard.until('count', /round 1/)
  const refused = await ask('DELETE', '/api/jobs/current')
  assert.deepEqual([refused.status, refused.json().error], [409, 'It runs in a terminal: stop it there with Ctrl-C.'])
  assert.equal((await ask('POST', '/api/jobs', check)).status, 200)
  const { record } = await keptPass({ entry })
  publish({ type: 'record', record })
  await release()
  await heard.until('result', /Your checks.*passed/s)
  assert.equal((await ask('GET', '/api/state')).json().lessons[0].attempts, 1)
})

test('what a benchmark and a profile found is shown, also after a restart', async (t) => {
  const bench = async () => ({ message: '99 requests/s', result: { table: 'Req/Sec', figures: [] } })
  const profile = async () => ({ message: 'It’s recorded.', result: { sections: [{ title: 'Your code' }] } })
  const { ask, listen, restart } = await openWeb(t, root, { handlers: { ...handlers, bench, profile } })
  const heard = await listen('/lessons/mini')
  for (const kind of ['bench', 'profile']) {
    await ask('POST', '/api/jobs', { body: { kind, lesson: 'mini', server: 'slow' } })
    await heard.until('clock', new RegExp(`data-kind="${kind}" data-state="done"`))
  }
  const panels = ({ text = '' }) => ['steps', 'bench', 'profile'].map((name) => partOf(text, name))
  const before = panels(await ask('GET', '/lessons/mini'))
  assert.match(before.join(), /Baseline<span class="hidden">, begun.*Req\/Sec.*It’s recorded/s)
  const web = await restart()
  assert.deepEqual(panels(await web.ask('GET', '/lessons/mini')), before)
})

test('a damaged outcome costs only itself', () => {
  const ended = { at: '2026-01-31T09:05:00.000Z', job: { kind: 'bench', lesson: 'mini', state: 'done', message: '' } }
  const profile = { ...ended, job: { ...ended.job, result: { sections: [1] } } }
  const outcomes = { bench: ended, profile: { at: 'soon' } }
  assert.deepEqual(soundJobs({ bench: ended, profile, outcomes }), { outcomes: { bench: ended } })
  for (const found of [null, 1, [], { outcomes: 'x' }]) assert.deepEqual(soundJobs(found), { outcomes: {} })
})

test('the slow server is served and measured, and stopped', async (t) => {
  const bench = (/** @type {HandlerGiven} */ given) => handlers.bench({ ...given, seconds: 0.5 })
  const { ask, listen } = await openWeb(t, root, { handlers: { ...handlers, bench } })
  const { served } = (await ask('POST', '/api/served', { body: { lesson: 'mini', server: 'slow' } })).json()
  assert.deepEqual([served.lesson, served.server], ['mini', 'slow'])
  assert.equal((await fetch(`${served.url}/1`)).status, 200)
  assert.deepEqual((await ask('GET', '/api/state')).json().served, served)
  const heard = await listen('/lessons/mini')
  assert.match(heard.now().served, /slow on <a .*Stop/s)
  const { job } = (await ask('POST', '/api/jobs', { body: { kind: 'bench', lesson: 'mini', server: 'slow' } })).json()
  assert.equal(job.server, 'slow')
  await heard.until('status', /^[\d,.]+ requests\/s, p99 [\d,.]+ ms\. All \d+ answers were right\.$/)
  await ask('DELETE', '/api/served')
  assert.equal((await ask('GET', '/api/state')).json().served, null)
  await assert.rejects(fetch(served.url))
})

test('a server from before the last change says so, and is restarted at the same address', async (t) => {
  const web = await openWeb(t)
  const copy = await takeSolution(web)
  const heard = await web.listen('/lessons/mini')
  const body = { lesson: 'mini', node: '--trace-warnings' }
  const { url } = (await web.ask('POST', '/api/served', { body })).json().served
  fs.appendFileSync(copy, '// changed\n')
  const { served } = await heard.until('served', /before your last change.*Restart/s)
  const [, asked = ''] = /data-body="([^"]*port[^"]*)"/.exec(served) ?? []
  const again = JSON.parse(asked.replaceAll('&#34;', '"'))
  assert.deepEqual(again, { ...body, port: Number(new URL(url).port) })
  assert.equal((await web.ask('POST', '/api/served', { body: again })).json().served.url, url)
  await heard.until('served', /^(?!.*Restart)/s)
})

test('answers alone are checked, and no attempt is counted', async (t) => {
  const web = await openWeb(t)
  await takeSolution(web)
  const heard = await web.listen('/lessons/mini')
  await web.ask('POST', '/api/jobs', { body: { kind: 'preview', lesson: 'mini', speed: false } })
  await heard.until('status', /^✓ Answers: (\d+) of \1 checks passed$/)
  assert.deepEqual((await web.ask('GET', '/api/lessons/mini')).json().history, [])
})

test('a lesson’s script loads the server that was started, and its output is kept', async (t) => {
  let asked = 0
  const server = http.createServer((req, res) => res.end(String(++asked))).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
  const args = ['lessons/02-leaking-listeners/latency.js', 'http://127.0.0.1:3000/seed', '100']
  const { signal } = new AbortController()
  assert.match(await runScript(args, { url, say: () => {}, signal }), /^ +100 +[\d.]+ ms +#+$/)
  assert.equal(asked, 100)
  const stop = new AbortController()
  const stopped = runScript(['-e', 'setInterval(() => {}, 1000)'], { url: '', say: () => {}, signal: stop.signal })
  stop.abort()
  assert.equal(await stopped, '')
})

/** @param {string} page @param {string} name of a part @returns {string} from there to the next part */
function partOf (page, name) {
  return page.split('data-part="').find((part) => part.startsWith(`${name}"`)) ?? ''
}

test('the machine is measured once, however often that is asked for', async (t) => {
  let times = 0
  const examiner = {
    atRest: async () => [{ state: /** @type {const} */ ('good'), what: `Looked ${++times} times.` }],
    underLoad: async () => []
  }
  const { ask, listen } = await openWeb(t, root, { examiner })
  const { until } = await listen()
  const asked = await Promise.all([ask('POST', '/api/fitness'), ask('POST', '/api/fitness')])
  for (const { status, json } of asked) assert.deepEqual([status, json().isBusy], [202, true])
  await until('fitness', /Looked 1 times\.[^]*<p>[^<]*measure/)
  await until('chip', /fit to measure/)
})
