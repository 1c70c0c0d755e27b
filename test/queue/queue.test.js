import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { WorkshopError } from '../../runner/shared/errors.js'
import { createWorker, gradeHere } from '../../classroom/queue/index.js'
import { openStore } from '../../classroom/room/store.js'
import { submissionProblem } from '../../runner/shared/seat-and-room.js'
import { makeRepository } from '../lesson/fixture.js'
import { openTestRoom, report, withTiers } from '../room/open.js'
import { temporaryFolder } from '../temporary.js'
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
  assert.deepEqual([table.claim({ worker: 'one', now: 0 })].map((row) => [row?.token, row?.attempts]), [[4, 1]])
  table.grace(500_000)
  assert.deepEqual([table.expire(559_999).length, table.expire(560_000).length], [0, 1])
})

test('a job is stuck once three workers were lost, or at once if it’s at fault', async (t) => {
  const { table, seats: [a, b], add } = await openTable(t)
  const { id } = add(a)
  const tokenOf = () => table.claim({ worker: 'one', now: 0 })?.token ?? 0
  const states = []
  for (const problem of ['first', 'second', 'third']) {
    table.release({ id, token: tokenOf(), now: 0 })
    const row = table.lose({ id, token: tokenOf(), now: 0, problem })
    states.push([row?.state, row?.problem])
  }
  assert.deepEqual(states, [['waiting', 'first'], ['waiting', 'second'], ['stuck', 'third']])
  assert.equal(table.claim({ worker: 'one', now: 0 }), null)
  assert.deepEqual([table.again(id, 0)?.state, table.claim({ worker: 'one', now: 0 })?.attempts], ['waiting', 1])
  const own = add(b).id
  assert.equal(table.fail({ id: own, token: tokenOf(), now: 0, problem: 'It has no server.js.' })?.state, 'stuck')
})

test('what ends its workers comes after all others, however often it’s tried', async (t) => {
  const { table, seats: [eve, ...others], add } = await openTable(t)
  for (let at = 0; at < 3; at++) add(eve)
  for (const seat of others) add(seat)
  /** @type {number[]} */
  const order = []
  for (let at = 0; at < 11; at++) {
    const { id, token, seat } = /** @type {import('../../classroom/queue/index.js').Row} */ (
      table.claim({ worker: 'one', now: 0 }))
    order.push(seat)
    if (seat !== eve) table.finish({ id, token, now: 0, result: '1' })
    else if (at % 2 === 0) table.lose({ id, token, now: 0, problem: 'lost' })
    else table.expire(60_000)
  }
  assert.deepEqual(order, [eve, ...others, ...Array(8).fill(eve)])
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

test('a worker believes nothing of a task, wherever it comes from', async () => {
  const about = { worker: 'w', machine: '', fitness: '' }
  const { signal } = new AbortController()
  const grade = () => assert.fail('it was graded')
  const { take } = createWorker({ about, grade, signal })
  const outcome = async (/** @type {any} */ task) => /** @type {any} */ (await take(task, signal)).problem
  assert.match(await outcome({ lesson: lessonThree, files: [{ path: '../../x', text: '' }] }), /under the name/)
  for (const none of [null, 'x', { files: [{ path: 'server.js', text: '' }] }]) {
    assert.equal(await outcome(none), 'It’s of no lesson.')
  }
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
 * Grades all that waits; a submission with the text `2` can't be graded, and is stuck.
 *
 * @param {Pick<Awaited<ReturnType<typeof openWithAda>>, 'work' | 'view'>} room
 */
async function gradeUntilStuck ({ work, view }) {
  await gradeUntil(work, {
    about: { worker: 'desk', machine: '2 cores', fitness: 'Fit.' },
    grade: async ({ files: [{ text }], lesson }) => {
      if (text === '2') throw new WorkshopError('It has no server.js.')
      return gradedAs(lesson)
    }
  }, async () => (await view()).queue.stuck === 1)
}

/**
 * Grades in the room's process until the condition is met.
 *
 * @param {import('../../classroom/queue/index.js').Work} work
 * @param {Partial<Parameters<typeof createWorker>[0]> & Pick<Parameters<typeof createWorker>[0], 'grade'>} how
 * @param {() => unknown} condition
 * @param {Parameters<typeof gradeHere>[0]['times']} [times]
 */
async function gradeUntil (work, how, condition, times) {
  const controller = new AbortController()
  const { signal } = controller
  /** @type {string[]} */
  const told = []
  const tell = (/** @type {string} */ sentence) => { told.push(sentence) }
  const worker = createWorker({ about: { worker: 'w', machine: '', fitness: '' }, signal, tell, ...how })
  const running = gradeHere({ work, worker, signal, tell, times: { pauseMs: 5, againMs: 5, ...times } })
  try {
    await until(condition)
  } finally {
    controller.abort()
    await running
  }
  return told.join('\n')
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

test('a lesson that doesn’t fit a machine is left to others, until nothing else was there for a while', async (t) => {
  const { join, ask, secret, work } = await openTestRoom(t)
  const { token } = await join()
  await ask('POST', '/api/seat/submissions', submissionOf('1', 'overload'), token)
  await ask('POST', '/api/seat/submissions', submissionOf('1'), token)
  const queue = async () => (await ask('GET', '/api/class', undefined, secret)).json.queue
  const grade = async (/** @type {any} */ { lesson }) => gradedAs(lesson, { verdict: 'fail' })
  const fits = async (/** @type {string} */ lesson) => lesson === 'overload' ? 'The reference doesn’t pass.' : null
  const told = await gradeUntil(work, { fits, grade }, async () => {
    const { waiting, places, workers } = await queue()
    return waiting === 1 && places.length === 1 && workers[0].unfit.length === 1
  })
  assert.match(told, /overload isn’t taken here: The reference doesn’t pass\./)
  const reasons = ['too noisy']
  const later = async () => reasons.shift() ?? null
  await gradeUntil(work, { fits: later, grade, times: { idleMs: 0 } }, async () => (await queue()).places.length === 0)
})

test('submissions have an allowance of their own: when it’s used up, reports still arrive', async (t) => {
  const { join, ask } = await openTestRoom(t, { now: () => 0 })
  const { token } = await join()
  assert.equal((await ask('POST', '/api/seat/submissions', submissionOf('x'.repeat(600_000)), token)).status, 413)
  const statuses = new Set()
  for (let at = 0; at < 50 && !statuses.has(429); at++) {
    statuses.add((await ask('POST', '/api/seat/submissions', submissionOf('1'), token)).status)
  }
  assert.deepEqual([...statuses], [202, 429])
  const unread = await ask('POST', '/api/seat/submissions', '{"a mistake in the JSON', token)
  assert.equal(unread.status, 429, 'the allowance is looked at before the body')
  assert.equal((await ask('POST', '/api/seat/reports', report(), token)).status, 202)
})

test('a job that hangs, was taken away, isn’t one, or whose result can’t be kept, ends', async (t) => {
  const { join, ask, secret, work } = await openTestRoom(t)
  const { token } = await join()
  const place = async () => (await ask('GET', '/api/class', undefined, secret)).json.queue.places[0]
  const again = () => ask('POST', '/api/class/submissions/grade-again', { all: true }, secret)
  const isStuck = async () => (await place()).state === 'stuck'
  await ask('POST', '/api/seat/submissions', submissionOf('1'), token)
  const hang = (/** @type {any} */ _, /** @type {AbortSignal} */ signal) =>
    new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  await gradeUntil(work, { grade: hang, times: { longestMs: 60 } }, isStuck)
  assert.match((await place()).problem, /It took more than 0.001 min/)
  await again()
  let begun = 0
  const takenAway = (/** @type {any} */ task, /** @type {AbortSignal} */ signal) => {
    if (++begun > 1) return Promise.resolve(gradedAs(lessonThree, { verdict: 'error', reason: 'The generator died.' }))
    work.settle({ id: 1, token: 3, outcome: { isGivenBack: true } })
    return hang(task, signal)
  }
  await gradeUntil(work, { grade: takenAway }, isStuck, { renewMs: 5 })
  assert.deepEqual([begun, (await place()).problem], [2, 'The generator died.'])
  await again()
  await gradeUntil(work, { grade: async () => /** @type {any} */ ({ record: {} }) }, isStuck)
  assert.match((await place()).problem, /isn’t the record of a check/)
  await again()
  let kept = 0
  const full = { ...work, settle: () => { kept++; throw new Error('The disk is full.') } }
  const told = await gradeUntil(full, { grade: async () => gradedAs(lessonThree) }, () => kept > 2, { givenUpMs: 40 })
  assert.match(told, /disk is full/)
  assert.equal((await place()).state, 'leased')
})

test('whoever a job comes from, a worker writes nothing that a room wouldn’t take', async () => {
  /** @type {unknown[]} */
  const graded = []
  const worker = createWorker({
    about: { worker: 'w', machine: '', fitness: '' },
    grade: async (task) => { graded.push(task); return gradedAs(lessonThree) },
    signal: new AbortController().signal
  })
  const { signal } = new AbortController()
  for (const files of [[{ path: '../../.config/autostart/x.desktop', text: '' }], 'server.js', undefined]) {
    const task = /** @type {any} */ ({ lesson: lessonThree, files })
    assert.ok('problem' in await worker.take(task, signal), String(files))
  }
  assert.ok('problem' in await worker.take(/** @type {any} */ (null), signal))
  assert.deepEqual(graded, [])
})

test('a learner never sees a path of the grader’s machine', async (t) => {
  const { join, ask, secret, work } = await openTestRoom(t)
  const { token } = await join()
  const own = async () => (await ask('POST', '/api/seat/submissions', submissionOf('1'), token)).json.submission.problem
  await own()
  work.claim({ worker: 'w' })
  const path = 'EROFS: open \'/tmp/make-it-fast-1/submission/server.js\''
  work.settle({ id: 1, token: 1, outcome: { problem: path } })
  assert.equal(await own(), 'The instructor’s page says why.')
  assert.equal((await ask('GET', '/api/class', undefined, secret)).json.queue.places[0].problem, path)
})

test('a seat has three submissions waiting at most, and twenty to a lesson; a long body isn’t read', async (t) => {
  let now = 0
  const { join, ask, work } = await openTestRoom(t, { now: () => now })
  const { token } = await join()
  const submit = async (/** @type {string} */ text, /** @type {string} */ lesson) => {
    now += 10_000
    const { status, json } = await ask('POST', '/api/seat/submissions', submissionOf(text, lesson), token)
    return json.error ?? status
  }
  for (let at = 0; at < 3; at++) assert.equal(await submit(String(at), lessonThree), 202)
  assert.match(await submit('3', lessonThree), /^3 of your submissions are waiting/)
  for (let at = 3; at <= 20; at++) {
    const job = work.claim({ worker: 'w' })
    work.settle({ id: job?.id ?? 0, token: 1, outcome: { problem: 'It has no server.js.' } })
    const said = await submit(String(at), lessonThree)
    if (at < 20) assert.equal(said, 202, String(at))
    else assert.match(said, /20 submissions to a lesson/)
  }
  assert.equal(await submit('1', 'overload'), 202)
  assert.equal((await ask('POST', '/api/seat/submissions', 'x'.repeat(600_000), token)).status, 413)
})
