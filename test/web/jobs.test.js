import assert from 'node:assert/strict'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { measuring, takeTurn } from '../../runner/process/index.js'
import { missedSince } from '../../runner/web/events.js'
import { handlers } from '../../runner/web/job-handlers.js'
import { isJoined, soundJobs } from '../../runner/web/jobs.js'
import { root } from '../check/mini.js'
import { passed } from '../report/records.js'
import { keptPass, openWeb, playedJob, roundEvent } from './open.js'

/**
 * @import { HandlerGiven } from '../../runner/web/job-handlers.js'
 * @import { Event } from './open.js'
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

test('what was missed', () => {
  const kept = [3, 4, 5].map((number) => ({ number, name: /** @type {const} */ ('progress'), text: '' }))
  assert.deepEqual(missedSince(kept, 3, 5)?.map(({ number }) => number), [4, 5])
  assert.deepEqual(missedSince(kept, 5, 5), [])
  assert.equal(missedSince(kept, 1, 5), null, 'the second is gone')
  assert.equal(missedSince(kept, 9, 5), null, 'of another time')
  assert.equal(missedSince(kept, null, 5), null)
})

test('a check from its beginning to its record, joined, heard late and resumed', async (t) => {
  const played = playedJob()
  const web = await openWeb(t, root, { handlers: { ...handlers, check: played.handler } })
  const first = await web.listen()
  const created = await web.ask('POST', '/api/jobs', check)
  assert.equal(created.status, 202)
  const { job } = created.json()
  assert.deepEqual([job.kind, job.lesson, job.state, job.elsewhere], ['check', 'mini', 'waiting', false])

  const { entry, onProgress, end: endWith } = await played.begun
  for (const number of [1, 2, 3]) onProgress(roundEvent(number))
  const early = await first.until(isProgress)
  const joined = await web.ask('POST', '/api/jobs', { body: { kind: 'profile', lesson: 'mini' } })
  assert.deepEqual([joined.status, joined.json().job.id, joined.json().job.kind], [200, job.id, 'check'])
  const late = await web.listen()
  assert.equal((await late.until(isProgress)).id, early.id)
  late.close()

  endWith(await keptPass({ entry }))
  const { data: record } = await first.until(({ name }) => name === 'record')
  assert.deepEqual([record.verdict, record.lesson.id], ['pass', 'mini'])
  const end = await first.until(({ name, data }) => name === 'state' && data.job?.state === 'done')
  assert.equal(end.data.lessons[0].state, 'pass')
  assert.equal((await web.ask('GET', '/api/lessons/mini')).json().best.verdict, 'pass')

  const resumed = await web.listen(early.id)
  await resumed.until(({ id }) => id === end.id)
  // The state for a newcomer has the id of what came last before it.
  const ids = [...new Set(first.events.map(({ id }) => id))]
  const missed = ids.slice(ids.indexOf(early.id) + 1, ids.indexOf(end.id) + 1)
  assert.ok(missed.length > 3)
  assert.deepEqual(resumed.events.map(({ id }) => id), missed)
})

test('a check is stopped, and the next job begins', async (t) => {
  const played = playedJob()
  const preview = async () => ({ message: '', record: passed() })
  const { ask, listen } = await openWeb(t, root, { handlers: { ...handlers, check: played.handler, preview } })
  const heard = await listen()
  assert.equal((await ask('DELETE', '/api/jobs/current')).status, 409)
  const { job } = (await ask('POST', '/api/jobs', check)).json()
  await played.begun
  assert.equal((await ask('DELETE', '/api/jobs/current')).status, 200)
  await heard.until(({ name, data }) => name === 'job' && data.state === 'cancelled' && data.id === job.id)
  const { job: look } = (await ask('POST', '/api/jobs', { body: { kind: 'preview', lesson: 'mini' } })).json()
  assert.notEqual(look.id, job.id)
  await heard.until(({ name }) => name === 'record')
  await heard.until(({ name, data }) => name === 'job' && data.state === 'done' && data.id === look.id)
})

test('a check in a terminal shows up, and is stopped there', async (t) => {
  const { ask, env, listen } = await openWeb(t)
  const heard = await listen()
  const entry = await loadLesson(await resolveLesson('mini', { env }))
  const { release, publish } = await takeTurn(measuring)
  t.after(release)
  publish({ type: 'job', kind: 'check', dir: entry.workspaceDir, pid: process.ppid })
  const { data: job } = await heard.until(({ name }) => name === 'job')
  assert.deepEqual([job.kind, job.lesson, job.state, job.elsewhere], ['check', 'mini', 'running', true])
  publish(roundEvent(1))
  await heard.until(isProgress)
  const refused = await ask('DELETE', '/api/jobs/current')
  assert.deepEqual([refused.status, refused.json().error], [409, 'It runs in a terminal: stop it there with Ctrl-C.'])
  const joined = await ask('POST', '/api/jobs', check)
  assert.deepEqual([joined.status, joined.json().job.id], [200, job.id])
  const { record } = await keptPass({ entry })
  publish({ type: 'record', record })
  assert.equal((await heard.until(({ name }) => name === 'record')).data.lesson.id, 'mini')
  await release()
  const { data: state } = await heard.until(({ name, data }) => name === 'state' && data.job?.state === 'done')
  assert.equal(state.lessons[0].attempts, 1)
})

test('what a benchmark and a profile found is shown, also after a restart', async (t) => {
  const bench = async () => ({ message: '99 requests/s', result: { table: 'Req/Sec', figures: [] } })
  const profile = async () => ({ message: 'It’s recorded.', result: { sections: [{ title: 'Your code' }] } })
  const { ask, listen, restart } = await openWeb(t, root, { handlers: { ...handlers, bench, profile } })
  const heard = await listen()
  for (const kind of ['bench', 'profile']) {
    const { job } = (await ask('POST', '/api/jobs', { body: { kind, lesson: 'mini', server: 'slow' } })).json()
    await heard.until(({ name, data }) => name === 'job' && data.id === job.id && data.state === 'done')
  }
  const panels = ({ text = '' }) => ['steps', 'bench', 'profile'].map((name) => partOf(text, name))
  const before = panels(await ask('GET', '/lessons/mini'))
  assert.match(before.join(), /Baseline<span class="hidden">, done.*Req\/Sec.*It’s recorded/s)
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
  const heard = await listen()
  const { job } = (await ask('POST', '/api/jobs', { body: { kind: 'bench', lesson: 'mini', server: 'slow' } })).json()
  assert.equal(job.server, 'slow')
  const { data } = await heard.until(({ name, data }) => name === 'job' && data.state === 'done')
  assert.match(data.message, /^[\d,.]+ requests\/s, p99 [\d,.]+ ms\. All \d+ answers were right\.$/)
  await ask('DELETE', '/api/served')
  assert.equal((await ask('GET', '/api/state')).json().served, null)
  await assert.rejects(fetch(served.url))
})

/** @param {string} page @param {string} name of a part @returns {string} from there to the next part */
function partOf (page, name) {
  return page.split('data-part="').find((part) => part.startsWith(`${name}"`)) ?? ''
}

/** @param {Event} event */
function isProgress ({ name }) {
  return name === 'progress'
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
  const { data: { machine: { fitness } } } = await until(({ name, data }) => name === 'state' &&
    data.machine.fitness.findings.length > 0 && !data.machine.fitness.isBusy)
  assert.match(fitness.message, /measure/)
  assert.equal(fitness.findings[0].what, 'Looked 1 times.')
})
