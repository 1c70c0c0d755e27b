import assert from 'node:assert/strict'
import test from 'node:test'
import { classParts, messageRowsHtml, seatsFor } from '../../classroom/room/class-page.js'
import { shownAddress } from '../../classroom/room/entrance.js'
import { boardHtml, joinPage, projectorPage, projectorParts, publicParts } from '../../classroom/room/public-pages.js'
import { pickSeats, queueHtml, removalText, seatDialogHtml } from '../../classroom/room/seat-page.js'
import { minutesText, reasonsHtml, sureText } from '../../classroom/room/words.js'

/** @import { InstructorView, SeatView } from '../../classroom/room/room-views.js' */

const evil = '"\'><script>alert(1)</script>'

/** @param {Partial<SeatView>} differences @returns {SeatView} */
function seat (differences) {
  return {
    id: 1,
    name: 'Ada',
    nickname: null,
    isOnBoard: false,
    joinedAt: at,
    lastSeenAt: at,
    lessons: {},
    verified: {},
    submissions: [],
    stuck: null,
    presence: { state: null, lesson: null, minutes: 0 },
    unfit: [],
    ...differences
  }
}

/** @type {import('../../classroom/room/attempts.js').Standing} */
const standing = {
  state: 'fail',
  attempts: 2,
  ratio: 1.2,
  target: 4,
  tier: evil,
  reason: evil,
  distance: null,
  lastAt: 1,
  passedAt: null,
  source: 'imported'
}
const at = '2026-01-31T09:05:00.000Z'
const said = { id: 1, text: evil, to: [1], sentAt: at, endsAt: at, isOver: false }
/** @type {InstructorView} */
const room = {
  code: evil,
  crowded: [{ address: evil, joined: 40 }],
  swept: 0,
  queue: { waiting: 0, stuck: 0, isCut: false, places: [], workers: [] },
  messages: [said],
  isLobbyLocked: true,
  current: null,
  timer: { text: evil, until: at, minutes: 10, minutesLeft: 4 },
  hands: [{ seat: 1, lesson: evil, minutes: 6 }],
  lessons: [{
    id: evil,
    number: 1,
    title: evil,
    isLocked: false,
    isRevealed: false,
    passed: 0,
    trying: 1,
    verified: 0,
    medianMs: null
  }],
  reasons: [{ lesson: evil, reason: evil, distance: null, seats: 11, of: 24 }],
  predicted: null,
  board: {
    lesson: evil,
    reported: [{ rank: 1, nickname: evil, tier: evil, share: 0.5, interval: [0.4, 0.6] }],
    verified: [],
    total: 1
  },
  seats: [seat({
    name: evil,
    nickname: evil,
    unfit: [evil],
    stuck: { lesson: evil, times: 3, reason: evil, distance: null, isSame: true },
    lessons: { [evil]: standing }
  })]
}

test('nothing that learners’ machines send breaks out of a page', () => {
  const texts = (/** @type {Record<string, unknown>} */ parts) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, String(part)]))
  const everybody = { ...room, seats: 1 }
  const [all, wall] = [publicParts(everybody), projectorParts(everybody)].map(texts)
  const own = texts(classParts({ ...room, swept: 1, learners: [evil] }))
  const { numbers, swept, queue, ...parts } = own
  const harmless = ['count-all', 'count-stuck', 'count-away', 'count-unfit']
  const pages = [
    ...Object.entries(parts).flatMap(([name, text]) => harmless.includes(name) ? [] : [text]),
    all.message, all.now, all.board, wall.message, wall.now, wall.progress, wall.reasons,
    seatDialogHtml(room.seats[0], [], room.lessons),
    joinPage({ address: evil, code: 'a', parts: all, sent: evil }),
    projectorPage({ address: evil, code: 'a', picture: evil, parts: wall })
  ]
  for (const page of pages.map(String)) {
    assert.match(page, /&(#60|lt);script&(#62|gt);/)
    assert.ok(!page.includes(evil) && !page.includes('<script>'), page)
  }
  assert.equal(sureText('Remove a|b?', 'x', 'y'), 'Remove a/b? | x | y')
})

test('who needs help comes first, then who has passed least', () => {
  const stuck = { lesson: 'a', times: 3, reason: '', distance: null, isSame: true }
  const seats = [
    seat({ name: 'far', lessons: { a: { ...standing, state: 'pass' } } }),
    seat({ name: 'near' }),
    seat({ name: 'silent', stuck: { minutes: 50 } }),
    seat({ name: 'thrice', stuck }),
    seat({ name: 'gone', presence: { state: 'away', lesson: null, minutes: 40 }, stuck: { ...stuck, times: 9 } }),
    seat({
      name: 'more',
      stuck: { ...stuck, times: 5, isSame: false },
      lastSeenAt: '2026-01-31T09:06:00.000Z',
      nickname: 'Moth',
      unfit: ['x']
    })
  ]
  assert.deepEqual(pickSeats(seats).map(({ name }) => name), ['more', 'thrice', 'silent', 'near', 'far', 'gone'])
  const parts = classParts({ ...room, seats: seats.map((one, id) => ({ ...one, id })), learners: [] })
  const counts = ['all', 'stuck', 'away', 'unfit'].map((name) => String(parts[`count-${name}`]))
  assert.deepEqual(counts, ['6', '4', '1', '1'])
  // The page filters by these.
  assert.match(String(parts.seats), /^<tr data-key="5" data-is="all stuck unfit" data-name="more moth">/)
  assert.match(String(parts.seats), /data-is="all stuck away" data-name="gone "/)
})

test('times, counts and removals in words', () => {
  assert.deepEqual([20_000, 3e6, 3.6e6, 3.9e6].map(minutesText), ['under 1 min', '50 min', '1 h', '1 h 5 min'])
  assert.match(String(reasonsHtml(room, 5)), /11 of the 24 who haven’t passed/)
  assert.match(String(reasonsHtml({ ...room, reasons: [...room.reasons, ...room.reasons] }, 1)), /and 1 other reason</)
  assert.match(removalText(room.seats[0]), /all 2 reports of this seat/)
  assert.match(removalText(seat({})), /the seat, which hasn’t reported anything yet\. .*can’t be undone/)
})

test('a message goes to all, to one, to the stuck ones, to those at a lesson or to those with a reason', () => {
  const seats = [
    seat({ id: 1, stuck: { minutes: 50 }, lessons: { [evil]: standing } }), seat({ id: 2, name: 'Grace' }),
    seat({ id: 3, lessons: { [evil]: { ...standing, reason: 'other' } } })
  ]
  const recipients = (/** @type {SeatView[]} */ seats) =>
    String(classParts({ ...room, seats, learners: [] }).recipients)
  const values = [...recipients(seats).matchAll(/value="([^"]+)">([^<]+)</g)]
  const names = values.map(([, , name]) => name)
  assert.deepEqual([...names.slice(0, 3), ...names.slice(4)],
    ['all', 'who is stuck (1)', 'who tried lesson 1 and hasn’t passed (2)', 'Ada', 'Ada', 'Grace'])
  const reasonKey = JSON.stringify([evil, evil])
  const keys = ['all', 'stuck', `not passed ${evil}`, reasonKey, '2']
  assert.deepEqual(keys.map((key) => seatsFor(key, { ...room, seats })), ['all', [1], [1, 3], [1], [2]])
  assert.doesNotMatch(recipients([seats[1]]), /stuck|lesson/)
  const messages = [{ ...said, text: 'Look', to: [2] }, { ...said, text: 'Read', to: [1, 2], isOver: true }]
  const rows = String(messageRowsHtml({ messages, seats }))
  assert.match(rows, /to Grace, until \d\d:05:<\/span> Look[^]*Clear[^]*to 2 learners, over:<\/span> Read[^]*again/)
})

test('predictions are dots that stay within the picture, however many are alike and however far they reach', () => {
  const predictions = (/** @type {InstructorView['predicted']} */ predicted) =>
    String(projectorParts({ ...room, seats: 3, predicted }).predictions)
  const many = Array.from({ length: 500 }, (_, at) => at < 400 ? 5 : 6)
  for (const ratios of [[3, 4, 4], many, [0.1, 1, 1000], [1, 1, 1]]) {
    const page = predictions({ ratios, measured: { ratio: 7.06, of: 3 } })
    const [width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(page)?.slice(1).map(Number) ?? []
    const [least, most] = [0.01 * width, 0.99 * width]
    const dots = [...page.matchAll(/cx="([\d.-]+)" cy="([\d.-]+)"/g)].map(([, x, y]) => [Number(x), Number(y)])
    assert.equal(dots.length, ratios.length)
    assert.ok(height < width / 2, page)
    assert.ok(dots.every(([x, y]) => x > least && x < most && y > 0 && y < height), page)
    assert.match(page, /Measured: 7\.06×<\/strong>, the median of 3/)
  }
  const few = predictions({ ratios: [2, 3, 9], measured: null })
  assert.match(few, />2×<[^]*>5×<[^]*>10×<[^]*3 predictions from 2× to 9×, the middle\none 3×/)
  assert.doesNotMatch(few, /Measured/)
  assert.equal(predictions(null), '')
})

test('ranks that are shared say so', () => {
  const [first] = room.board.reported
  const entry = { ...first, nickname: 'moth' }
  const reported = [entry, { ...entry, nickname: 'otter' }, { ...entry, rank: 3 }]
  const words = String(boardHtml({ ...room, board: { ...room.board, reported, total: 70 } }))
  assert.equal(words.match(/, shared/g)?.length, 2)
  assert.match(words, /50 % <span class="soft">\(40 % to 60 %\)/)
  assert.match(words, /The first 3 of 70\./)
})

test('a page shows the address under which others reach the room', () => {
  const learners = ['http://192.168.1.5:4000/code', 'http://10.0.0.7:4000/code']
  const origins = ['http://192.168.1.5:4000', 'http://127.0.0.1:4000', 'https://room-4000.example']
  const given = { learners, origins, code: 'code' }
  for (const [host, at, expected] of /** @type {const} */ ([
    ['127.0.0.1:4000', undefined, learners[0]],
    ['127.0.0.1:4000', '1', learners[1]],
    ['127.0.0.1:4000', '7', learners[0]],
    ['127.0.0.1:4000', 'x', learners[0]],
    ['192.168.1.5:4000', undefined, learners[0]],
    ['room-4000.example', undefined, 'https://room-4000.example/code']
  ])) assert.equal(shownAddress({ ...given, host, at }), expected)
})

test('the queue says what waits, what is stuck and who grades; a result says what it is worth', () => {
  const place = { seat: 1, lesson: 'in-memory-json', ahead: 2, expectedMs: 180_000, worker: null, problem: null }
  /** @type {InstructorView['queue']} */
  const queue = {
    waiting: 60,
    stuck: 1,
    isCut: true,
    places: [
      { ...place, id: 1, state: 'stuck', problem: evil },
      { ...place, id: 2, state: 'waiting' }
    ],
    workers: [{ name: evil, machine: '2 cores', fitness: 'Fit.', unfit: ['overload'], job: null, isGone: true }]
  }
  const seats = [seat({ name: 'Ada' })]
  const shown = String(queueHtml({ ...room, queue, seats }))
  for (const part of ['60 waiting, 1 stuck', 'Ada, ', 'id="again-1"', '2 before it, in about 3 min', 'and 59 more',
    'hasn’t answered for a minute', 'Redis doesn’t answer']) assert.ok(shown.includes(part), part)
  assert.ok(!shown.includes('<script>'))
  const result = { verdict: /** @type {const} */ ('pass'), ratio: 6.1, isVerified: false, sandbox: evil, fitness: evil }
  const submission = { id: 3, lesson: 'x', receivedAt: 1, problem: null, worker: null, result }
  const cheat = { at, evidence: evil }
  const graded = seat({ submissions: [{ ...submission, state: 'done', cheat }] })
  const rows = String(seatDialogHtml(graded, [], room.lessons))
  for (const part of ['not verified', 'Marked as a cheat', 'id="fair-3"']) assert.ok(rows.includes(part), part)
  assert.ok(!rows.includes('<script>'))
})
