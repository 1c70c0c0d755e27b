import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { followRoom } from '../../runner/cli/watch-keys.js'
import { sentRecord } from '../../runner/judge/index.js'
import { listen } from '../../runner/process/sockets.js'
import { changeHand, hearRoom, reportCheck } from '../../runner/seat/index.js'
import { answerOf, readAddress, roomSentences } from '../../runner/seat/own-seat.js'
import { saveSeat, waitingOf } from '../../runner/seat/seat-files.js'
import { readWhatIsSent, seatKey } from '../../runner/shared/seat-and-room.js'
import { cli, runCommand, runNode } from '../cli/run.js'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { gradedAs } from '../queue/grading.js'
import { failed, passed } from '../report/records.js'
import { openTestRoom } from '../room/open.js'

test('the address of a room, as people type it', () => {
  const room = { url: 'http://192.168.1.5:4000/', code: 'b8zm-k62t' }
  for (const text of ['http://192.168.1.5:4000/b8zm-k62t', '192.168.1.5:4000/b8zm-k62t/']) {
    assert.deepEqual(readAddress(text), room)
  }
  for (const none of [undefined, '', 'http://192.168.1.5:4000/', 'b8zm-k62t', 'http://', '10.0.0.1:4000/%zz']) {
    assert.throws(() => readAddress(none), /isn’t the address of a room/)
  }
})

test('no source, output, path or answer is sent', () => {
  const record = {
    ...failed(),
    submission: '/home/ada/secret',
    output: [{ server: 'yours', text: 'secret' }],
    reason: 'secret',
    warnings: ['secret'],
    next: 'secret'
  }
  record.contract.push({ name: 'x', when: 'before', status: 'fail', message: 'secret', requests: ['curl secret'] })
  record.load.problems.push('secret')
  assert.doesNotMatch(JSON.stringify(sentRecord(record)), /secret/)
  assert.deepEqual(sentRecord(sentRecord(record)), sentRecord(record))
})

test('join, report, leave: the room knows what it was told, and then nothing', async (t) => {
  const { env, root, room } = await prepare(t)
  const refused = await runNode([cli, 'join', room.address, '--name', 'Ada'], { env })
  assert.deepEqual([refused.code, refused.stderr], [3, 'You can’t be asked here: --yes says that you want to join.\n'])
  assert.match(refused.stdout, /Your source code is not sent/)

  const joined = await runNode([cli, 'join', room.address, '--name', 'Ada', '--nickname', 'moth', '--board', '--yes'],
    { env })
  assert.deepEqual([joined.code, joined.stderr], [0, ''])
  assert.match(joined.stdout, /\nYou are in, as Ada, on the board as moth\. /)
  const file = path.join(root, 'workspace', 'room.json')
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o077, 0)
  assert.match((await runCommand(['join', room.address, '--name', 'Ada'], { env })).stderr, /npm run leave/)

  assert.deepEqual(await reportCheck(entryIn(root), recordOf(passed())), ['Reported to the room.'])
  const { seats: [seat] } = await room.view()
  assert.deepEqual([seat.name, seat.lessons['in-memory-json'].state], ['Ada', 'pass'])

  const left = await runNode([cli, 'leave'], { env })
  assert.deepEqual([left.code, left.stderr], [0, ''])
  assert.match(left.stdout, /^You have left\./)
  assert.deepEqual([(await room.view()).seats, fs.existsSync(file)], [[], false])
  assert.match((await runCommand(['leave'], { env })).stdout, /You aren’t in a room/)
})

test('the room is asked before the learner is', async (t) => {
  const { env, room } = await prepare(t)
  const join = (/** @type {string} */ address) => runCommand(['join', address, '--name', 'Ada'], { env })
  const wrong = await join(`${room.url}aaaa-bbbb`)
  assert.deepEqual([wrong.code, wrong.stdout], [3, ''])
  assert.match(wrong.stderr, /That’s not the join code of this room/)
  await room.ask('PATCH', '/api/class', { lobbyLocked: true }, room.secret)
  const closed = await join(room.address)
  assert.deepEqual([closed.code, closed.stdout], [3, ''])
  assert.match(closed.stderr, /closed the lobby/)
})

test('what was passed before joining is sent on request; a seat changes and loses nothing', async (t) => {
  const { env, root, room } = await prepare(t)
  const results = path.join(root, 'workspace', 'results')
  fs.mkdirSync(results, { recursive: true })
  fs.writeFileSync(path.join(results, '03-in-memory-json.json'), JSON.stringify(recordOf(passed())))
  const joined = await runCommand(['join', room.address, '--name', 'Ada', '--earlier', '--yes'], { env })
  assert.match(joined.stdout, /What you’d passed before is reported, too\./)
  const changed = await runCommand(['join', '--board', '--nickname', 'moth'], { env })
  assert.match(changed.stdout, /^You are Ada, on the board as moth\. All that you have reported stays\.\n/)
  const { seats: [seat] } = await room.view()
  assert.deepEqual([seat.nickname, seat.isOnBoard, seat.lessons['in-memory-json'].state], ['moth', true, 'pass'])
  assert.match((await runCommand(['join', '--no-board'], { env })).stdout, /not on the board/)
  assert.equal((await room.view()).seats[0].isOnBoard, false)
})

test('the lesson that the class is at comes next, for the projector and for `next`', async (t) => {
  const { env, room } = await prepare(t)
  await runCommand(['join', room.address, '--name', 'Ada', '--yes'], { env })
  const set = (/** @type {unknown} */ current) => room.ask('PATCH', '/api/class', { current }, room.secret)
  assert.equal((await set({ lesson: 'none', minutes: 5 })).status, 400)
  assert.equal((await set({ lesson: 'overload', minutes: 40 })).status, 200)
  assert.match((await room.ask('GET', `/${room.code}/projector`)).text, /Now: lesson 12, [^]*0 not yet, 1 not begun/)
  assert.match((await runCommand(['next'], { env })).stdout, /Now in class, 40 of 40 min left: lesson 12/)
  await set(null)
  assert.doesNotMatch((await runCommand(['next'], { env })).stdout, /Now in class/)
})

test('without a room a check says nothing of rooms, and writes nothing', async (t) => {
  const root = await makeRepository(t)
  assert.deepEqual(await reportCheck(entryIn(root), recordOf(passed())), [])
  assert.equal(fs.existsSync(path.join(root, 'workspace')), false)
})

test('what could not be sent waits, and goes with a later check; to leave then needs the room', async (t) => {
  const { env, root, room } = await prepare(t)
  await runCommand(['join', room.address, '--name', 'Ada', '--yes'], { env })
  await room.close()
  const [problem, waits] = await reportCheck(entryIn(root), recordOf(failed(), '2026-01-31T09:05:00.000Z'))
  assert.match(problem, /doesn’t answer/)
  assert.equal(waits, 'This check waits and is sent with the next one.')
  await reportCheck(entryIn(root), recordOf(passed(), '2026-01-31T09:06:00.000Z'), { send: false })
  const left = await runCommand(['leave'], { env })
  assert.equal(left.code, 3)
  assert.match(left.stderr, /It still has your data: .+ --forget/)

  const again = await openTestRoom(t, { dir: room.dir, env })
  const said = await reportCheck(entryIn(root), recordOf(passed(), '2026-01-31T09:07:00.000Z'))
  assert.deepEqual(said, ['Reported to the room: 3 checks.'])
  const { seats: [seat] } = (await again.ask('GET', '/api/class', undefined, again.secret)).json
  const { attempts, state } = seat.lessons['in-memory-json']
  assert.deepEqual([attempts, state], [3, 'pass'])
  assert.deepEqual(fs.readdirSync(path.join(root, 'workspace', 'room-queue')), [])
})

test('a room that takes the connection and never answers costs a moment, and no verdict', async (t) => {
  const { env, root, room } = await prepare(t)
  await runCommand(['join', room.address, '--name', 'Ada', '--yes'], { env })
  await room.close()
  const silent = net.createServer(() => {})
  await once(silent.listen(Number(new URL(room.address).port), '127.0.0.1'), 'listening')
  t.after(() => silent.close())
  const said = await reportCheck(entryIn(root), recordOf(passed()))
  assert.match(said.join(' '), /doesn’t answer.+This check waits/)
})

test('an export is taken in by a room that its learner cannot reach', async (t) => {
  const { env, root, room } = await prepare(t)
  const nameless = await runCommand(['export'], { env })
  assert.deepEqual([nameless.code, nameless.stderr],
    [3, 'Say whose results these are, as in `npm run export -- --name "Ada"`.\n'])
  const results = path.join(root, 'workspace', 'results')
  fs.mkdirSync(results, { recursive: true })
  fs.writeFileSync(path.join(results, '03-in-memory-json.json'), JSON.stringify(recordOf(passed())))
  const exported = await runCommand(['export', '--name', 'Ada'], { env })
  assert.deepEqual([exported.code, exported.stderr], [0, ''])
  assert.match(exported.stdout, /^1 check of Ada: /)
  const file = JSON.parse(fs.readFileSync(path.join(root, 'workspace', 'results-for-the-room.json'), 'utf8'))
  const { token } = JSON.parse(fs.readFileSync(path.join(root, 'workspace', 'room.json'), 'utf8'))
  assert.ok(!JSON.stringify(file).includes(token))
  const { json } = await room.ask('POST', '/api/class/import', file, room.secret)
  const said = '1 new check of Ada, 0 known before.'
  assert.deepEqual(json, { seat: 1, name: 'Ada', added: 1, known: 0, refused: [], said })
  assert.equal((await room.view()).seats[0].lessons['in-memory-json'].state, 'pass')
})

test('a join whose answer was lost is the same seat the next time; a refused one leaves nothing', async (t) => {
  const { env, root, room } = await prepare(t)
  const file = path.join(root, 'workspace', 'room.json')
  const args = ['--name', 'Ada', '--yes']
  const wrong = await runCommand(['join', `${room.url}aaaa-bbbb`, ...args], { env })
  assert.deepEqual([wrong.code, fs.existsSync(file)], [3, false])
  await room.close()
  const lost = http.createServer((req, res) =>
    req.method === 'GET' ? res.end('{"isLobbyLocked":false}') : req.socket.destroy())
  const tokens = []
  for (const port of [0, Number(new URL(room.url).port)]) {
    await once(lost.listen(port, '127.0.0.1'), 'listening')
    const { port: own } = /** @type {net.AddressInfo} */ (lost.address())
    assert.equal((await runCommand(['join', `127.0.0.1:${own}/aaaa-bbbb`, ...args], { env })).code, 3)
    lost.closeAllConnections()
    await once(lost.close(), 'close')
    const { token, url } = JSON.parse(fs.readFileSync(file, 'utf8'))
    assert.equal(url, null)
    tokens.push(token)
  }
  const [other, token] = tokens
  assert.notEqual(other, token, 'another room may be a false one')
  const again = await openTestRoom(t, { dir: room.dir, env })
  const first = await again.ask('POST', '/api/seats', { code: again.code, token, name: 'Ada' })
  assert.deepEqual([first.status, first.json.token], [201, token])
  const joined = await runCommand(['join', room.address, ...args], { env })
  assert.match(joined.stdout, /You are in, as Ada\. /)
  const { seats } = (await again.ask('GET', '/api/class', undefined, again.secret)).json
  assert.deepEqual(seats.map((/** @type {any} */ { name }) => name), ['Ada'])
})

test('a check waits for its own seat alone, and no file names another one to remove', async (t) => {
  const { root, env, room } = await prepare(t)
  await runCommand(['join', room.address, '--name', 'Ada', '--yes'], { env })
  const workspace = path.join(root, 'workspace')
  const thesis = path.join(root, 'thesis.tex')
  fs.writeFileSync(thesis, 'long')
  const { id, record } = waitingOf(recordOf(passed()))
  fs.mkdirSync(path.join(workspace, 'room-queue'), { recursive: true })
  const other = { id: 'x'.repeat(9), record, seat: 'another' }
  const { token } = JSON.parse(fs.readFileSync(path.join(workspace, 'room.json'), 'utf8'))
  const waiting = { '2026-1.json': { id, record, seat: seatKey(token), file: thesis }, '2026-2.json': other }
  for (const [name, value] of Object.entries(waiting)) {
    fs.writeFileSync(path.join(workspace, 'room-queue', name), JSON.stringify(value))
  }
  await reportCheck(entryIn(root), recordOf(failed()))
  assert.ok(fs.existsSync(thesis))
  assert.deepEqual(fs.readdirSync(path.join(workspace, 'room-queue')), ['2026-2.json'])
  assert.equal((await room.view()).seats[0].lessons['in-memory-json'].attempts, 2)
})

test('what no room answers is not believed', () => {
  const clock = { until: '2026-01-31T09:05:00.000Z', minutes: 40, minutesLeft: 25 }
  const current = { lesson: 'a', ...clock }
  const timer = { text: 'Break', ...clock }
  const messages = [{ text: 'Look.', sentAt: current.until }]
  const lessons = [{ id: 'a', number: 1, isLocked: false, isRevealed: true }]
  const prediction = { lesson: 'a', gate: 'rate', ratio: 4, isOpen: true }
  const room = { messages, current, timer, lessons, isHandUp: true, prediction }
  const answer = { name: 'Ada', nickname: null, token: 'abc', room }
  assert.deepEqual(answerOf({ ...answer, more: 1, room: { ...room, message: 'Look.' } }), answer)
  const odd = {
    messages: [null, { text: 'x' }],
    current: { lesson: 'a', until: clock.until },
    timer: { ...timer, until: 'x' },
    isHandUp: 1,
    prediction: { ...prediction, ratio: '4' }
  }
  assert.deepEqual(answerOf({ ...answer, room: { ...room, ...odd } })?.room,
    { ...room, messages: [], current: null, timer: null, isHandUp: false, prediction: null })
  for (const wrong of [
    null, [], {}, { ...answer, nickname: {} }, { ...answer, token: '../x' }, { ...answer, name: 'x'.repeat(501) },
    { ...answer, room: { messages: [], lessons: 7 } }, { ...answer, room: { messages: 5, lessons } },
    { ...answer, room: { ...room, lessons: [{}] } },
    { ...answer, room: { ...room, lessons: Array(201).fill(room.lessons[0]) } }
  ]) assert.equal(answerOf(wrong), null, JSON.stringify(wrong))
})

test('`next`, `list` and `watch` say what the room says, `watch` tells what its learner does, and a hand is raised',
  async (t) => {
    const { env, root, room } = await prepare(t)
    const run = async (/** @type {string[]} */ ...words) => {
      const { code, stdout, stderr } = await runCommand(words, { env })
      assert.equal(stderr, '')
      return { code, stdout }
    }
    const roomless = await runCommand(['hand'], { env })
    assert.deepEqual([roomless.code, roomless.stderr],
      [3, 'You aren’t in a room: join one first, as in `npm run join ADDRESS -- --name "Ada"`.\n'])
    await run('join', room.address, '--name', 'Ada', '--yes')
    await room.ask('POST', '/api/class/messages', { text: 'Read on\u001b[2J', to: [1] }, room.secret)
    await room.ask('PATCH', '/api/class', { locked: ['overload'], revealed: ['in-memory-json'] }, room.secret)
    const listed = (await run('list')).stdout
    assert.match(listed, /The instructor says \(\d\d:\d\d\): Read on/)
    assert.match(listed, /Not opened by the instructor yet: 12\.\nNow for all: the solutions of 3\./)
    assert.match((await run('next')).stdout, /The instructor says/)
    await room.ask('PATCH', '/api/class', { current: { lesson: 'overload', minutes: 40 } }, room.secret)
    assert.match((await run('hand')).stdout, /^Your hand is up for lesson 12: the instructor sees it\./)
    assert.deepEqual((await room.view()).hands, [{ seat: 1, lesson: 'overload', minutes: 0 }])
    assert.match((await run('hand', 'lesson-3')).stdout, /for lesson 3/)
    assert.match((await run('next')).stdout, /Your hand is up/)
    assert.equal((await run('hand', '--down')).stdout, 'Your hand is down.\n')
    assert.deepEqual((await room.view()).hands, [])
    assert.match((await run('predict')).stdout, /^Lesson 12: by what factor .+ “rate”\?\nYou haven’t predicted it/)
    assert.match((await run('predict', '2.5x')).stdout, /^You predict 2\.5× for lesson 12: a dot on the wall/)
    assert.match((await run('predict')).stdout, /You predicted 2\.5×: `npm run predict FACTOR` changes that\./)
    const refused = await runCommand(['predict', 'much'], { env })
    assert.deepEqual([refused.code, refused.stderr], [3, '"much" isn’t a factor: `npm run predict 5` says 5×.\n'])
    await room.ask('PATCH', '/api/class', { current: null }, room.secret)
    assert.match((await runCommand(['predict', '5'], { env })).stderr, /^There’s nothing to predict now/)

    const heard = await new Promise((resolve) => {
      const { close } = followRoom(entryIn(root), {
        task: () => 'check',
        onWord: (sentences) => {
          close()
          resolve(sentences)
        }
      })
    })
    assert.match(heard[0], /Read on/)
    assert.deepEqual((await room.view()).seats[0].presence, { state: 'checking', lesson: 'in-memory-json', minutes: 0 })
  })

test('submit shows what it sends, sends only text, and tells later what came of it', async (t) => {
  const { env, root, room } = await prepare(t)
  const submit = (/** @type {string[]} */ ...flags) => runCommand(['submit', '3', ...flags], { env })
  assert.match((await submit()).stderr, /^You aren’t in a room/)
  await runCommand(['join', room.address, '--name', 'Ada', '--yes'], { env })
  const unasked = await runNode([cli, 'submit', '3'], { env })
  assert.match(unasked.stderr, /You can’t be asked here/)
  const first = await submit('--yes')
  assert.deepEqual([first.code, first.stderr], [0, ''])
  assert.match(first.stdout, /go to the room:\n {2}lib\/data\.js, 1 kB\n {2}server\.js, 1 kB\n.*next to be graded/s)
  const { json } = await room.ask('GET', '/api/class/submissions/1', undefined, room.secret)
  assert.deepEqual(json.files[1], { path: 'server.js', text: '// the slow server of in-memory-json\n' })
  room.work.claim({ worker: 'w' })
  assert.match((await submit('--yes')).stdout, /exactly this before\. It’s being graded now/)
  room.work.settle({ id: 1, token: 1, outcome: { result: gradedAs('in-memory-json') } })
  assert.match((await submit('--yes')).stdout, /Verified: pass, 6\.14×\./)
  const copy = path.join(root, 'workspace', '03-in-memory-json')
  fs.symlinkSync('/etc/passwd', path.join(copy, 'words.txt'))
  assert.match((await submit('--yes')).stderr, /^words\.txt isn’t an ordinary file: move it out/)
})

test('what `watch` sends is what the text says', async (t) => {
  /** @type {string[]} */
  const asked = []
  const said = [{ text: 'Look.', sentAt: '2026-01-31T09:05:00.000Z' }]
  const other = http.createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`)
    if (req.method === 'PUT') res.writeHead(404).end('{"error":"There’s nothing at this address."}')
    else res.end(JSON.stringify({ name: 'Ada', nickname: null, room: { messages: said, lessons: [] } }))
  })
  const url = `http://127.0.0.1:${await listen(other)}/`
  t.after(() => other.close())
  const { root } = await prepare(t)
  const workspace = path.join(root, 'workspace')
  await saveSeat(workspace, { url, token: 'abc', name: 'Ada', nickname: null, board: false })
  const heard = await hearRoom(workspace, { lesson: 'in-memory-json', state: 'looking' })
  assert.deepEqual(heard?.messages, said)
  await assert.rejects(changeHand(workspace, { isUp: true }), /nothing at this address/)
  assert.deepEqual(asked, ['GET /api/seat?lesson=in-memory-json&state=looking', 'PUT /api/seat/hand'])
  const sent = await readWhatIsSent()
  for (const word of ['which lesson you are at', 'read', 'look at', 'check', 'hand', 'predict']) {
    assert.ok(sent.includes(word), word)
  }
})

test('what the room says is told after a check', () => {
  const nine = new Date(2026, 0, 31, 9, 5).toISOString()
  const room = {
    messages: [{ text: 'Look.', sentAt: nine }],
    current: { lesson: 'a', until: nine, minutes: 40, minutesLeft: 25 },
    timer: { text: 'Break', until: nine, minutes: 20, minutesLeft: 12 },
    isHandUp: true,
    prediction: { lesson: 'a', gate: 'list', ratio: null, isOpen: true },
    lessons: [{ id: 'a', number: 4, isLocked: true, isRevealed: true }]
  }
  assert.deepEqual(roomSentences({ taken: 1, left: 0, room, problem: '' }, 'a'), [
    'Reported to the room.',
    'The instructor says (09:05): Look.',
    'Break until 09:05.',
    'Now in class: lesson 4, 25 of 40 min left.',
    'By what factor will your server beat the slow one in “list”? `npm run predict 5` says 5×.',
    'Your hand is up: `npm run hand -- --down` takes it back.',
    'The instructor hasn’t opened lesson 4 yet.',
    'Now for all: the solution of lesson 4. npm run solution lesson-4 -- --anyway'
  ])
  assert.equal(roomSentences({ taken: 3, left: 0, room, problem: '' }, 'a')[0], 'Reported to the room: 3 checks.')
  assert.deepEqual(roomSentences({ taken: 0, left: 2, room: null, problem: 'No answer.' }, 'a'),
    ['No answer.', '2 checks wait and are sent with the next one.'])
})

/** @param {import('node:test').TestContext} t */
async function prepare (t) {
  const root = await makeRepository(t)
  const env = { ...envFor(root), NO_COLOR: '1' }
  const room = await openTestRoom(t, { dir: path.join(root, 'class'), env })
  const view = async () => (await room.ask('GET', '/api/class', undefined, room.secret)).json
  return { env, root, room: { ...room, address: `${room.url}${room.code}`, view } }
}

/** @param {string} root */
function entryIn (root) {
  return { id: 'in-memory-json', workspaceDir: path.join(root, 'workspace', '03-in-memory-json') }
}

/** @param {ReturnType<typeof passed>} record @param {string} [startedAt] */
function recordOf (record, startedAt = record.startedAt) {
  return { ...record, startedAt, lesson: { id: 'in-memory-json', number: 3, title: 'In-memory JSON' } }
}
