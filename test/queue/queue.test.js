import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { createWorker, deskAt, deskHere } from '../../runner/queue/index.js'
import { openStore } from '../../runner/room/store/store.js'
import { submissionProblem } from '../../runner/submitted-files.js'
import { makeRepository } from '../lesson/fixture.js'
import { temporaryFolder } from '../temporary.js'
import { openTestRoom, report, withTiers } from '../room/open.js'
import { until } from '../until.js'
import { gradedAs, submissionOf } from './grading.js'

const lessonThree = 'in-memory-json'

/** @param {import('node:test').TestContext} t */
async function openTable (t) {
  const store = await openStore(path.join(temporaryFolder(t), 'room.sqlite'))
  t.after(store.close)
  const seats = ['a', 'b', 'c'].map((name) => store.addSeat({
    tokenHash: name, name, nickname: null, isOnBoard: false, joinedAt: '', lastSeenAt: '', removedAt: null
  }, { at: '', what: 'join', about: '' }))
  let submitted = 0
  const add = (/** @type {number} */ seat, lesson = lessonThree) =>
    store.submissions.add({ seat, lesson, hash: String(submitted++), files: '[]', now: 0 })
  return { table: store.submissions, seats, add }
}

test('a result counts only with the token of the last claim, and only once', async (t) => {
  const { table, seats: [a], add } = await openTable(t)
  const { id } = add(a)
  const first = table.claim({ worker: 'one', now: 0 })
  assert.deepEqual([first?.id, first?.token, first?.state], [id, 1, 'leased'])
  assert.equal(table.claim({ worker: 'two', now: 0 }), null)
  assert.equal(table.renew({ id, token: 1, now: 30_000 })?.leaseUntil, 90_000)
  assert.deepEqual(table.expire(60_001), [])
  assert.equal(table.expire(90_000)[0].state, 'waiting')
  assert.equal(table.renew({ id, token: 1, now: 90_001 }), null)
  const second = table.claim({ worker: 'two', now: 90_001 })
  assert.equal(second?.token, 2)
  assert.equal(table.finish({ id, token: 1, now: 90_002, result: '"late"' }), null)
  assert.equal(table.finish({ id, token: 2, now: 90_002, result: '"right"' })?.result, '"right"')
  assert.equal(table.finish({ id, token: 2, now: 90_003, result: '"twice"' }), null)
  assert.equal(table.again(id, 0)?.result, '"right"')
  assert.equal(table.claim({ worker: 'one', now: 0, ticket: { id, token: 2 } }), null)
  assert.equal(table.claim({ worker: 'one', now: 0, ticket: { id, token: 3 } })?.attempts, 1)
})

test('after three attempts a job is stuck and says why; one that is given back untouched doesn’t count', async (t) => {
  const { table, seats: [a], add } = await openTable(t)
  const { id } = add(a)
  const states = []
  for (const problem of ['first', 'second', 'third']) {
    const released = table.claim({ worker: 'one', now: 0 })?.token ?? 0
    table.release({ id, token: released, now: 0 })
    const token = table.claim({ worker: 'one', now: 0 })?.token ?? 0
    const row = table.fail({ id, token, now: 0, problem })
    states.push([row?.state, row?.problem])
  }
  assert.deepEqual(states, [['waiting', 'first'], ['waiting', 'second'], ['stuck', 'third']])
  assert.equal(table.claim({ worker: 'one', now: 0 }), null)
  assert.deepEqual([table.again(id, 0)?.state, table.claim({ worker: 'one', now: 0 })?.attempts], ['waiting', 1])
})

test('learners take turns: ten submissions of one learner delay the others by one at most', async (t) => {
  const { table, seats: [a, b, c], add } = await openTable(t)
  for (let at = 0; at < 10; at++) add(a)
  for (let at = 0; at < 2; at++) add(b)
  /** @type {number[]} */
  const taken = []
  const takeOne = () => {
    const row = table.claim({ worker: 'one', now: 0 })
    if (row === null) return false
    taken.push(row.seat)
    return table.finish({ id: row.id, token: row.token, now: 0, result: '1' }) !== null
  }
  for (let at = 0; at < 5; at++) takeOne()
  // A newcomer has a place in the current round, not in past ones.
  add(c)
  add(c)
  while (takeOne());
  assert.deepEqual(taken, [a, b, a, b, a, c, a, c, ...Array(6).fill(a)])
})

test('a worker gets no job of lessons that don’t fit its machine', async (t) => {
  const { table, seats: [a, b], add } = await openTable(t)
  add(a)
  const { id } = add(b, 'overload')
  assert.equal(table.claim({ worker: 'one', now: 0, without: [lessonThree] })?.id, id)
  assert.equal(table.claim({ worker: 'one', now: 0, without: [lessonThree] }), null)
})

test('what may be submitted', () => {
  const file = (/** @type {string} */ name, text = 'x') => ({ path: name, text })
  for (const right of ['server.js', 'lib/größe 2.js', 'a/b/c.json', '_x', 'a b']) {
    assert.equal(submissionProblem([file(right)]), null, right)
  }
  for (const wrong of ['', '/etc/passwd', '../x', 'a/../x', 'a//b', '.npmrc', 'a\\b', 'C:x', 'nul', 'COM1.js', 'a.',
    'node_modules/x.js', 'a\u202eb', 'a\nb', 'x'.repeat(201)]) {
    assert.match(submissionProblem([file(wrong)]) ?? '', /under the name/, wrong)
  }
  for (const [wrong, sentence] of new Map([
    [[], /no file/], [{}, /no file/], [[null], /list of texts/], [[file('a', 'x\0')], /list of texts/],
    [[file('a'), file('A')], /same name/], [[file('a'), file('a/b')], /same name/],
    [Array.from({ length: 101 }, (_, at) => file(`f${at}`)), /101 files/],
    [[file('a', 'é'.repeat(131_072))], /257 kB/]
  ])) assert.match(submissionProblem(wrong) ?? '', sentence)
})

/** A room with lessons of the fixture, and a learner who submits. @param {import('node:test').TestContext} t */
async function openWithAda (t) {
  const root = await makeRepository(t, { 'lessons/03-in-memory-json/lesson.js': withTiers })
  const given = { dir: path.join(root, 'class'), env: { ...process.env, MAKE_IT_FAST_LESSONS: root } }
  const room = await openTestRoom(t, given)
  const { ask, secret } = room
  const { token } = await room.join('Ada', { board: true })
  return {
    ...room,
    given,
    token,
    submit: (/** @type {string} */ text) => ask('POST', '/api/seat/submissions', submissionOf(text), token),
    view: async () => (await ask('GET', '/api/class', undefined, secret)).json,
    exported: async (/** @type {string} */ kind) =>
      (await ask('GET', `/api/class/export.${kind}`, undefined, secret)).text
  }
}

/**
 * Grades all that waits; a submission with the text `2` can't be graded, and is stuck in the end.
 *
 * @param {Pick<Awaited<ReturnType<typeof openWithAda>>, 'work' | 'view'>} room
 */
async function gradeUntilStuck ({ work, view }) {
  const controller = new AbortController()
  const grade = async (/** @type {any} */ job) => {
    if (job.files[0].text === '2') throw new Error('It has no server.js.')
    return gradedAs(job.lesson)
  }
  const about = { worker: 'desk', machine: '2 cores', fitness: 'Fit.' }
  const worker = createWorker({ desk: deskHere(work), about, grade, signal: controller.signal, times: { pauseMs: 5 } })
  const running = worker.run()
  await until(async () => (await view()).queue.stuck === 1)
  controller.abort()
  await running
}

test('a submission is kept once, graded, and verified apart from what is reported', async (t) => {
  const { ask, code, work, token, submit, view, exported } = await openWithAda(t)
  assert.equal((await ask('POST', '/api/seat/submissions', submissionOf('1'), 'wrong')).status, 401)
  assert.match((await ask('POST', '/api/seat/submissions', { lesson: 'x', files: [] }, token)).json.error, /lesson/)
  const first = await submit('1')
  assert.deepEqual([first.status, first.json.isNew, first.json.submission.ahead], [202, true, 0])
  assert.equal((await submit('1')).json.isNew, false)
  assert.equal((await submit('2')).json.submission.ahead, 1)

  await gradeUntilStuck({ work, view })
  const { queue, seats: [seat], board } = await view()
  assert.deepEqual(queue.places.map((/** @type {any} */ one) => [one.state, one.problem]),
    [['stuck', 'It has no server.js.']])
  assert.deepEqual(queue.workers,
    [{ name: 'desk', machine: '2 cores', fitness: 'Fit.', unfit: [], job: null, isGone: false }])
  assert.deepEqual([seat.lessons, seat.verified[lessonThree].state], [{}, 'pass'])
  assert.deepEqual([board.reported, board.verified.length], [[], 0], 'without a limit there is no share')
  assert.equal((await submit('1')).json.submission.verdict, 'pass')

  assert.match(await exported('csv'), /not begun,0,,,,,,,,pass,6\.14,,\d{4}-\S*Z,\r/)
  assert.equal(JSON.parse(await exported('json')).submissions[0].result.evidence.verdict, 'pass')
  const { lessons } = (await ask('GET', `/api/rooms/${code}/projector`)).json
  assert.deepEqual(lessons.find((/** @type {any} */ { id }) => id === lessonThree).verified, 1)
})

test('a result is marked as a cheat, graded again, and still there when the room opens again', async (t) => {
  const { ask, secret, code, work, close, given, token, submit, view, exported } = await openWithAda(t)
  for (const text of ['1', '2']) await submit(text)
  await gradeUntilStuck({ work, view })

  const cheat = (/** @type {string} */ method, /** @type {unknown} */ body) =>
    ask(method, '/api/class/submissions/1/cheat', body, secret)
  assert.equal((await cheat('PUT', { evidence: ' ' })).status, 400)
  assert.equal((await cheat('PUT', { evidence: 'It answers the benchmark alone.' })).status, 200)
  assert.deepEqual((await view()).seats[0].verified, {})
  assert.match(await exported('csv'), /,,,,It answers the benchmark alone\.\r/)
  assert.match((await submit('1')).json.submission.cheat, /benchmark alone/)
  await cheat('DELETE', undefined)
  assert.equal((await view()).seats[0].verified[lessonThree].state, 'pass')

  const again = (/** @type {unknown} */ body) => ask('POST', '/api/class/submissions/grade-again', body, secret)
  assert.deepEqual((await again({ lesson: 'overload' })).status, 404)
  assert.deepEqual((await again({ all: true })).json, { queued: 2 })
  const waiting = await view()
  assert.deepEqual([waiting.queue.waiting, waiting.seats[0].verified[lessonThree].state], [2, 'pass'])
  const { json: whole } = await ask('GET', '/api/class/submissions/1', undefined, secret)
  assert.deepEqual([whole.files[0].text, whole.result.evidence.verdict], ['1', 'pass'])

  await close()
  const reopened = await openTestRoom(t, given)
  assert.deepEqual((await reopened.ask('GET', '/api/class', undefined, reopened.secret)).json.queue.waiting, 2)
  await reopened.ask('DELETE', '/api/seat', undefined, token)
  const after = (await reopened.ask('GET', '/api/class', undefined, reopened.secret)).json
  assert.deepEqual([after.queue.waiting, code], [0, reopened.code])
  assert.equal((await reopened.ask('GET', '/api/class/submissions/1', undefined, reopened.secret)).status, 404)
})

test('a worker elsewhere needs the secret, which only this user may read', async (t) => {
  const { url, dir, join, ask, secret, workerSecret } = await openTestRoom(t)
  const file = path.join(dir, 'worker-secret')
  assert.equal(fs.readFileSync(file, 'utf8').trim(), workerSecret)
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o077, 0)
  const { token } = await join()
  await ask('POST', '/api/seat/submissions', submissionOf('1'), token)
  for (const wrong of ['', token, secret]) {
    assert.equal((await ask('POST', '/api/work/claim', { worker: 'x', wants: true }, wrong)).status, 401)
  }
  const controller = new AbortController()
  /** @type {string[]} */
  const told = []
  const worker = createWorker({
    desk: deskAt({ url, secret: workerSecret }),
    about: { worker: 'far', machine: '', fitness: '' },
    fits: async (lesson) => lesson === 'overload' ? 'The reference doesn’t pass.' : null,
    grade: async (job) => gradedAs(job.lesson, { verdict: 'fail' }),
    signal: controller.signal,
    tell: (sentence) => told.push(sentence)
  })
  await ask('POST', '/api/seat/submissions', submissionOf('1', 'overload'), token)
  assert.deepEqual([await worker.takeOne(), await worker.takeOne(), await worker.takeOne()],
    ['graded', 'unfit', 'nothing'])
  assert.match(told.join('\n'), /overload isn’t taken here: The reference doesn’t pass\./)
  const { queue } = (await ask('GET', '/api/class', undefined, secret)).json
  assert.deepEqual([queue.waiting, queue.workers[0].unfit], [1, ['overload']])
  controller.abort()
})

test('a reference that noise has spoiled is checked again once nothing else was there for a while', async (t) => {
  const { join, ask, work } = await openTestRoom(t)
  await ask('POST', '/api/seat/submissions', submissionOf('1'), (await join()).token)
  const reasons = ['too noisy', null]
  const given = {
    desk: deskHere(work),
    about: { worker: 'w', machine: '', fitness: '' },
    fits: async () => reasons.shift() ?? null,
    grade: async (/** @type {any} */ job) => gradedAs(job.lesson),
    signal: new AbortController().signal
  }
  const patient = createWorker(given)
  assert.deepEqual([await patient.takeOne(), await patient.takeOne()], ['unfit', 'nothing'])
  reasons.unshift('too noisy')
  const idle = createWorker({ ...given, times: { idleMs: 0 } })
  assert.deepEqual([await idle.takeOne(), await idle.takeOne()], ['unfit', 'graded'])
})

test('submissions have an allowance of their own: when it’s used up, reports still arrive', async (t) => {
  const { join, ask } = await openTestRoom(t, { now: () => 0 })
  const { token } = await join()
  const statuses = new Set()
  for (let at = 0; at < 50 && !statuses.has(429); at++) {
    statuses.add((await ask('POST', '/api/seat/submissions', submissionOf('1'), token)).status)
  }
  assert.deepEqual([...statuses], [202, 429])
  assert.equal((await ask('POST', '/api/seat/reports', report(), token)).status, 202)
})

test('a job that no longer belongs to a worker, hangs, or can’t be graded, ends', async (t) => {
  const { join, ask, secret, work } = await openTestRoom(t)
  const { token } = await join()
  await ask('POST', '/api/seat/submissions', submissionOf('1'), token)
  const hang = (/** @type {any} */ _, /** @type {AbortSignal} */ signal) =>
    new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const about = { worker: 'w', machine: '', fitness: '' }
  const given = { desk: deskHere(work), about, signal: new AbortController().signal }
  const problem = async () => (await ask('GET', '/api/class', undefined, secret)).json.queue.places[0].problem
  await createWorker({ ...given, grade: hang, times: { longestMs: 60 } }).takeOne()
  assert.match(await problem(), /It took more than 0.001 min/)
  const lost = createWorker({ ...given, grade: hang, times: { renewMs: 5 } }).takeOne()
  work.release({ id: 1, token: 2 })
  assert.equal(await lost, 'nothing')
  const odd = createWorker({ ...given, grade: async () => /** @type {any} */ ({ record: {} }) })
  await odd.takeOne()
  assert.match(await problem(), /isn’t the record of a check/)
  const broken = gradedAs(lessonThree, { verdict: 'error', reason: 'The load generator died.' })
  await createWorker({ ...given, grade: async () => broken }).takeOne()
  const { places: [{ state }] } = (await ask('GET', '/api/class', undefined, secret)).json.queue
  assert.deepEqual([state, await problem()], ['stuck', 'The load generator died.'])
})
