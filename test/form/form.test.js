import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { form, reply } from '../../lessons/form/index.js'
import { wrongReply } from '../../lessons/form/replies.js'
import { readOf } from '../../lessons/form/requests.js'
import { findPromises } from '../content/promises.js'
import { createRandom } from '../../runner/shared/random.js'

/** @import { FormLesson } from '../../lessons/form/types.js' */

const text = `# Feed

| request | answer |
|---|---|
| \`GET /feed\` | 200, all items, compressed for a client that accepts gzip |
| \`GET /items/:id\` | 200, one item; 404 |
| \`POST /items\` | 201, the item; 400 without a title |

304 while the client's copy is current. **A write is seen by the very next read.** Two contents never have the same
ETag. Two forms never have the same strong ETag. What is refused changes nothing, and a body that is not JSON gets a
4xx.
`

/** @type {FormLesson} */
const feed = {
  id: 'feed',
  title: 'Feed',
  summary: 'A feed.',
  data: ({ random }) => ({ items: [{ id: 1, title: random.word(5) }] }),
  routes: {
    'GET /feed': { rule: 'sends the feed', tagged: true, encodings: ['gzip'], is: ({ items }) => items },
    'GET /items/:id': {
      rule: 'sends one item',
      is: ({ items }, id) => items[Number(id) - 1],
      good: ({ state: { items } }) => items.length,
      bad: ['0', 'x'],
      wrongRule: 'answers 404 to other ids'
    },
    'POST /items': {
      rule: 'adds an item',
      effect: 'shows it in the very next read',
      body: (random) => ({ title: random.word(5) }),
      wrong: () => [{}, { title: '' }],
      wrongRule: 'refuses an item without a title',
      then: ({ items }, sent) => ({ items: [...items, { id: items.length + 1, ...sent }] }),
      answers: ({ items }) => items[items.length - 1],
      location: ({ items }) => `/items/${items.length}`
    }
  },
  loads: { feed: { mix: { 'GET /feed gzip': 9, 'GET /feed gzip again': 1, 'GET /items/:id': 1, 'POST /items': 1 } } },
  gates: { feed: { rate: 3, look: 'How often is it compressed?' } },
  mechanism: { expected: 'CPU time falls', load: 'feed', cpuPerRequest: 'falls' }
}

/** @param {Partial<FormLesson>} [changes] */
function lessonOf (changes) {
  return form({ ...feed, ...changes })
}

const random = createRandom('form')

test('every rule that follows from the routes is promised by words of the text', () => {
  assert.deepEqual([...findPromises(text, lessonOf())], [
    ['sends the feed', 'GET /feed | 200, all items, compressed for a client that accepts gzip'],
    [
      'answers 304 to a client whose copy is current, and sends any other the content',
      "304 while the client's copy is current."
    ],
    ['never answers 304 to a tag that only looks like the current one', "304 while the client's copy is current."],
    ['sends one item', 'GET /items/:id | 200, one item; 404'],
    ['answers 404 to other ids', 'GET /items/:id | 200, one item; 404'],
    ['adds an item', 'POST /items | 201, the item; 400 without a title'],
    ['refuses an item without a title', '400 without a title'],
    ['refuses a body that isn’t JSON', 'What is refused changes nothing, and a body that is not JSON gets a 4xx.'],
    ['shows it in the very next read', 'A write is seen by the very next read.'],
    [
      'changes nothing when it refuses a request',
      'What is refused changes nothing, and a body that is not JSON gets a 4xx.'
    ],
    ['never gives different content the same ETag, even after a restart', 'Two contents never have the same ETag.'],
    [
      'shows it in the very next read, even when it came while another read was in flight',
      'A write is seen by the very next read.'
    ],
    ['never gives two encodings of the same content the same strong ETag', 'Two forms never have the same strong ETag.']
  ])
})

test('a write is followed by the reads that show it, and a refusal too', () => {
  const { operations } = lessonOf()
  const reads = ['GET /feed', 'GET /feed, if changed', 'GET /items/:id']
  assert.deepEqual(operations['POST /items'].touches, reads)
  assert.deepEqual(operations['POST /items, wrong'].touches, ['GET /feed', 'GET /feed, if changed'])
  assert.deepEqual(Object.keys(operations).filter((name) => name.includes(', ')), [
    'GET /feed, if changed', 'GET /feed, alike', 'GET /items/:id, wrong', 'POST /items, no object',
    'POST /items, wrong', 'POST /items, broken'
  ])
})

test('a read with several parameters is sent with one of an earlier request, and the others of the last one', () => {
  const draw = () => null
  const { operations } = lessonOf({
    routes: {
      ...feed.routes,
      'GET /search?text=&limit=': { rule: 'searches', draw, cases: { 'refuses others': { odd: true, draw } } },
      'GET /map/:x/:y': { rule: 'shows a place', draw }
    }
  })
  const crossed = Object.keys(operations).filter((name) => name.endsWith(', crossed'))
  assert.deepEqual(crossed, ['GET /search?text=&limit=, crossed', 'GET /map/:x/:y, crossed'])
  const drawnFrom = (/** @type {string} */ name, /** @type {string[]} */ ...paths) => {
    const past = (/** @type {string} */ of) => of === name ? paths.map((path, id) => ({ id, asked: { path } })) : []
    const given = /** @type {any} */ ({ random, data: {}, past })
    const { draw } = /** @type {any} */ (operations[`${name}, crossed`])
    const drawn = Array.from({ length: 40 }, () => draw(given)?.path)
    return [...new Set(drawn)].filter((path) => path !== undefined).sort()
  }
  assert.deepEqual(drawnFrom('GET /map/:x/:y', '/map/1/2', '/map/3/4'), ['/map/1/4', '/map/3/2'])
  assert.deepEqual(drawnFrom('GET /search?text=&limit=', '/search?text=a', '/search?limit=2&text=b+c'), [
    '/search?limit=2&text=a', '/search?text=b+c'
  ])
  assert.deepEqual(drawnFrom('GET /map/:x/:y', '/map/1/2', '/map/1/2'), [])
})

test('a read with several parameters is sent with a digit of one of them in another one', () => {
  const draw = () => null
  const { operations } = lessonOf({
    routes: {
      ...feed.routes,
      'GET /search?text=&limit=': { rule: 'searches', draw },
      'GET /map/:x/:y': { rule: 'shows a place', draw }
    }
  })
  const drawnFrom = (/** @type {string} */ name, /** @type {string} */ path, drawn = 0) => {
    const shifted = `${name}, shifted`
    const past = (/** @type {string} */ of) => of === name
      ? [{ id: 0, asked: { path } }]
      : of === shifted ? Array.from({ length: drawn }, (_, id) => ({ id, asked: {} })) : []
    const { draw } = /** @type {any} */ (operations[shifted])
    return Array.from({ length: 20 }, () => draw({ random, data: {}, past })?.path)
      .filter((path, at, all) => all.indexOf(path) === at).sort()
  }
  const search = 'GET /search?text=&limit='
  assert.deepEqual(drawnFrom(search, '/search?text=a+b&limit=12'), ['/search?text=2a+b&limit=1'], 'limit and text')
  assert.deepEqual(drawnFrom(search, '/search?text=a+b&limit=12', 1), ['/search?text=a+b1&limit=2'], 'text and limit')
  assert.deepEqual(drawnFrom(search, '/search?limit=12&visit=x', 1), [undefined], 'nothing else is known')
  assert.deepEqual(drawnFrom(search, '/search?text=a&limit=20', 1), [undefined], 'none begins with 0')
  assert.deepEqual(drawnFrom(search, '/search?text=a&limit=5'), [undefined], 'a number keeps a digit')
  assert.deepEqual(drawnFrom('GET /map/:x/:y', '/map/12/34'), ['/map/1/234', '/map/412/3'])
  assert.deepEqual(drawnFrom('GET /map/:x/:y', '/map/10/2'), [undefined], 'none begins with 0')
})

/** An answer as the load generator hands it over. @param {number} status @param {any} json @param {any} headers */
function answer (status, json, headers = {}) {
  const plain = Buffer.from(JSON.stringify(json))
  const body = headers['content-encoding'] === 'gzip' ? gzipSync(plain) : plain
  return /** @type {any} */ ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    text: () => plain.toString(),
    json: () => json
  })
}

test('under load a read shows a state that it may, and none from before an acknowledged write', async () => {
  const { data, model, loads } = lessonOf()
  const { data: { items } } = await data({ random, speed: 1 })
  const known = model({ data: { items } })
  const next = loads.feed.stream({ random, data: { items }, model: known })
  const drawn = (/** @type {(item: any) => boolean} */ isWanted) => {
    for (;;) {
      const item = next()
      if (isWanted(item)) return item
    }
  }
  const isFeed = (/** @type {any} */ { method, path }) => method === undefined && path === '/feed'
  const head = { etag: '"1"', vary: 'Accept-Encoding', 'content-encoding': 'gzip' }
  const before = drawn(isFeed)
  assert.equal(before.headers?.['accept-encoding'], 'gzip')
  const post = drawn(({ method }) => method === 'POST')
  const added = Object.assign({ id: 2 }, post.json)
  before.answered?.(answer(200, items, head))
  assert.equal(before.check(answer(200, items, head)), undefined)
  assert.match(String(before.check(answer(200, items, { ...head, vary: '' }))), /^Vary is missing/)
  assert.match(String(before.check(answer(200, [], head))), /content that never existed/)
  const made = answer(201, added, { location: '/items/2' })
  post.answered?.(made)
  assert.equal(post.check(made), undefined)
  assert.match(String(post.check(answer(201, added, { location: '/items/3' }))), /^Location is/)
  const after = drawn((item) => isFeed(item) && item.headers?.['if-none-match'] === undefined)
  after.answered?.(answer(200, items, head))
  const old = answer(200, items, { ...head, etag: '"2"' })
  assert.match(String(after.check(old)), /old content, though a write was acknowledged/)
  const one = drawn(({ path }) => path === '/items/2')
  one.answered?.(answer(200, added))
  assert.equal(one.check(answer(200, added)), undefined)
  assert.match(String(one.check(answer(200, items[0]))), /^expected \{"id":2/)
})

/** Two languages; each answer has its own, and an id. @type {NonNullable<FormLesson['clients']>} */
const readers = {
  draw: ({ random, by = random.pick(['de', 'fr']) }) => by,
  sends: (request, language) => ({ ...request, headers: { ...request.headers, 'Accept-Language': language } }),
  headers: ['content-language'],
  meaning: (given) => ({ text: given.json().text }),
  gets: (language) => ({ 'content-language': language }),
  wrong: ({ headers: { id } }, seen) => {
    if (seen.has(id)) return 'it came twice'
    seen.add(id)
  }
}

test('clients send their own with every request, and get their own with every answer', () => {
  const { routes } = feed
  const { operations, model, loads } = lessonOf({
    clients: readers,
    routes: {
      ...routes,
      'GET /word': {
        rule: 'says a word',
        good: () => ({ path: '/word?loud=1', by: 'de' }),
        always: (/** @type {any} */ _, /** @type {string} */ language) =>
          reply(language === 'de' ? 200 : 418, { text: language })
      },
      'POST /items': { ...routes?.['POST /items'], rule: 'adds an item', refusal: () => reply(400, { text: 'no' }) }
    },
    loads: { feed: { mix: { 'GET /word': 1, 'POST /items, wrong': 1 } } }
  })
  const word = operations['GET /word']
  assert.deepEqual(word.draw({ random, data: { items: [] }, past: () => [] }), /** @type {any} */ ({
    ...readOf(/** @type {any} */ ({ url: () => '/word?loud=1' }), { path: '/word?loud=1', by: 'de' }),
    headers: { 'Accept-Language': 'de' }
  }))
  assert.deepEqual([word.headers, word.meaning], [['content-language'], readers.meaning])
  const next = loads.feed.stream({ random, data: {}, model: model({ data: { items: [] } }) })
  for (let i = 0; i < 20; i++) {
    const { method, headers = {}, json, check } = next()
    const language = headers['Accept-Language']
    const status = method === 'POST' ? 400 : language === 'de' ? 200 : 418
    const right = { text: method === 'POST' ? 'no' : language, more: 'counts for nothing' }
    const head = { 'content-language': language, id: String(i) }
    if (method === 'POST') assert.ok(!Object(json).title)
    assert.equal(check(answer(status, right, head)), undefined)
    assert.equal(check(answer(status, right, head)), 'it came twice')
    assert.match(String(check(answer(status, right, { ...head, 'content-language': 'it' }))), /^the header content-l/)
    assert.match(String(check(answer(status, { text: 'x' }, head))), /^expected {"text"/)
    assert.match(String(check(answer(500, right, head))), /^expected status/)
  }
})

test('the long form combines with the short one, under its names', async () => {
  const draw = () => ({ path: '/nowhere' })
  const run = async () => {}
  const stream = () => () => ({ path: '/feed', check: () => undefined })
  const lesson = lessonOf({
    files: ({ items }) => ({ 'count.txt': String(items.length) }),
    operations: { 'answers 404 elsewhere': draw, head: { rule: 'answers HEAD', weight: 2, draw } },
    contract: {
      always: { 'stays up': run },
      before: { 'starts empty': { timed: true, run } },
      apart: { 'ends on SIGTERM': run }
    },
    loads: { feed: { stream, connections: 3 } },
    routes: undefined
  })
  assert.deepEqual(lesson.operations, {
    'answers 404 elsewhere': { rule: 'answers 404 elsewhere', draw },
    head: { rule: 'answers HEAD', weight: 2, draw }
  })
  assert.deepEqual(lesson.contract, [
    { name: 'stays up', run, when: ['before', 'after'] },
    { name: 'starts empty', timed: true, run, when: ['before'] },
    { name: 'ends on SIGTERM', run, when: ['before'], apart: true }
  ])
  const mistyped = lessonOf({ contract: /** @type {any} */ ({ befor: { 'starts empty': run } }) })
  assert.deepEqual(mistyped.contract.at(-1), { name: 'starts empty', run, when: ['befor'] }, 'which no lesson may have')
  assert.deepEqual(lesson.loads.feed, { stream, connections: 3, sliceMs: 200 })
  assert.deepEqual((await lesson.data({ random, speed: 1 })).files, { 'count.txt': '1' })
})

test('a route with any query string shows its URL, and its answers fit around it', async () => {
  const cacheControl = { 'cache-control': 'no-cache' }
  const { operations, contract, model, loads } = lessonOf({
    routes: {
      'GET /feed': {
        rule: 'sends the feed',
        anyQuery: true,
        tagged: 'strong',
        sends: cacheControl,
        is: ({ items }, url) => ({ items, url })
      },
      'PUT /feed': {
        rule: 'takes a feed',
        status: 204,
        body: (_, { sent }) => [sent.length],
        underLoad: (random) => [random.int(1, 1e9)],
        wrong: () => [null],
        wrongRule: 'refuses what is no feed',
        broken: 'as wrong',
        then: (_, items) => ({ items })
      }
    },
    loads: { feed: { mix: { 'GET /feed': 4, 'GET /feed new': 2, 'GET /feed new again': 1, 'PUT /feed': 1 } } }
  })
  assert.deepEqual(contract.map(({ name }) => name), [
    'never gives different content the same ETag, even after a restart',
    'answers each query string separately, however alike they look',
    'shows a write in the very next read of any query string, however many were requested'
  ])
  assert.equal(operations['PUT /feed, broken'].rule, 'refuses what is no feed')
  assert.equal(operations['PUT /feed, broken'].loose, undefined)
  const known = model({ data: { items: [] } })
  const next = loads.feed.stream({ random, data: { items: [] }, model: known })
  const asked = new Set()
  for (let version = 0, steps = 0; steps < 400; steps++) {
    const item = next()
    const reply = (/** @type {any} */ json, /** @type {any} */ head = {}) => {
      const given = answer(200, json, { etag: `"${version}"`, ...cacheControl, ...head })
      item.answered?.(given)
      return String(item.check(given))
    }
    if (item.method === 'PUT') {
      item.answered?.(answer(204, ''))
      assert.match(String(item.check(answer(204, 'x'))), /expected no body with a 204/)
      version++
      continue
    }
    if (item.headers?.['if-none-match'] === '*') {
      assert.match(reply({ items: [], url: item.path }), /expected 304 to If-None-Match: \*/)
      continue
    }
    asked.add(item.path)
    const right = { items: known.states[version].items, url: item.path }
    assert.equal(reply(right), 'undefined')
    assert.match(reply({ ...right, url: `${item.path}x` }), /content that never existed/)
    assert.match(reply(right, { etag: 'W/"1"' }), /expected a strong ETag/)
    assert.match(reply(right, { 'cache-control': 'no-store' }), /cache-control is no-store instead of no-cache/)
  }
  assert.ok(asked.size > 20)
})

test('cases ask a route in further ways, under rules that its row of the table promises', () => {
  const unknown = 'answers 404 to a name'
  const found = Object.assign(() => 'text=a&limit=1', { text: 'a' })
  const lesson = lessonOf({
    routes: {
      'GET /items/:id': {
        rule: 'sends one item',
        good: () => 1,
        headers: ['x-of'],
        cases: { [unknown]: () => 'x', 'says who': { weight: 2, draw: () => ({ headers: { a: 'b' } }) } }
      },
      'GET /search?text=&limit=': { rule: 'finds', draw: () => found }
    },
    loads: { feed: { mix: { 'GET /items/:id': 1 } } }
  })
  const { operations, promises = {} } = lesson
  const asked = (/** @type {string} */ name) => operations[name].draw({ random, data: {}, past: () => [] })
  assert.deepEqual(asked(unknown), { path: '/items/x' })
  assert.deepEqual(asked('says who'), { path: '/items/', headers: { a: 'b' } })
  assert.deepEqual([operations['says who'].weight, operations['says who'].headers], [2, ['x-of']])
  assert.equal(promises[unknown], promises['sends one item'])
  const search = /** @type {any} */ (asked('GET /search?text=&limit='))
  assert.deepEqual([search(), search.text], [{ path: '/search?text=a&limit=1' }, 'a'])
})

test('a load sends what its mix names in the same shares, and judges what the lesson leaves to it', () => {
  const { loads } = lessonOf({
    routes: {
      'GET /items/:id': { rule: 'sends', item: ({ data }) => ({ path: '/items/7', shows: () => ({ of: data }) }) },
      'GET /feed': { rule: 'all', always: ['item'] },
      'POST /items': {
        rule: 'adds',
        item: () => ({ json: {}, check: () => 'wrong' }),
        cases: { refuses: { item: () => ({ status: 401 }), draw: () => ({}) } }
      }
    },
    loads: {
      feed: {
        mix: { 'GET /items/:id': 5, 'GET /feed': 3, 'POST /items': 1, refuses: 1 },
        alongside: { 'GET /feed': 9 }
      }
    }
  })
  const next = loads.feed.stream({ random, data: 'd', model: {} })
  const items = Array.from({ length: 21 }, next)
  assert.equal(items[0].path, '/items/7')
  const counts = items.slice(1).filter(({ path, method }) => path === '/items' && method === 'POST').length
  assert.equal(counts, 4)
  const judged = (/** @type {(item: any) => boolean} */ isIt, /** @type {any} */ made) => items.find(isIt)?.check(made)
  const isOne = (/** @type {any} */ { path }) => path === '/items/7'
  assert.equal(judged(isOne, answer(200, { of: 'd' })), undefined)
  assert.match(String(judged(isOne, answer(200, {}))), /^expected {"of":"d"}, got {}/)
  assert.equal(judged(({ path }) => path === '/feed', answer(200, ['item'])), undefined)
  assert.equal(judged(({ json }) => json !== undefined, answer(201, {})), 'wrong')
  const isRefused = (/** @type {any} */ { method, json }) => method === 'POST' && json === undefined
  assert.equal(judged(isRefused, answer(401, {})), undefined)
  assert.match(String(judged(isRefused, answer(201, {}))), /status 401/)
  assert.equal(loads.feed.probe?.rate, 9)
})

test('what is logged has an id in every request, a look at the log, and its checks', () => {
  const lesson = lessonOf({
    logged: {
      ids: () => (request) => ({ ...request, headers: { 'x-request-id': 'one' } }),
      path: () => '/feed',
      half: { method: 'POST', path: '/items' }
    }
  })
  const { operations, model, loads, contract } = lesson
  const { log, ...others } = operations
  for (const [name, { draw }] of Object.entries(others)) {
    const asked = draw({ random, data: { items: [{}] }, past: () => [] })
    if (asked !== null) assert.deepEqual(/** @type {any} */ (asked).headers, { 'x-request-id': 'one' }, name)
  }
  assert.match(log.rule, /line of JSON/)
  const next = loads.feed.stream({ random, data: { items: [] }, model: model({ data: { items: [] } }) })
  const ids = Array.from({ length: 3 }, () => next().headers?.['x-request-id'] ?? '')
  assert.deepEqual(ids.map((id) => /^load-\w+-(\d)-after-0$/.exec(id)?.[1]), ['1', '2', '3'])
  assert.equal(contract.filter(({ name }) => /\bline/.test(name)).length, 3)
})

test('what cannot be read is one sentence that says how to write it', () => {
  assert.throws(() => lessonOf({ routes: { feed: { rule: 'x' } } }), /routes\["feed"\]: name it by method and path/)
  assert.throws(
    () => lessonOf({ loads: { feed: { mix: { 'GET /feeds': 1 } } } }),
    /"GET \/feeds" doesn’t name a route/
  )
  const half = { feed: { mix: { 'GET /feed': 0.5 } } }
  assert.throws(() => lessonOf({ loads: half }), /"GET \/feed": 0.5 isn’t a whole number; say how many/)
  assert.throws(() => lessonOf({ loads: { feed: {} } }), /loads\.feed: give it a mix or a stream/)
  assert.throws(() => lessonOf({ gates: { feed: { look: 'x' } } }), /gates\.feed: give it `rate`, `p99`/)
})

test('the model is held against the slow server’s answers', () => {
  const { operations } = lessonOf()
  const data = { items: [{ id: 1, title: 'one' }] }
  const write = operations['POST /items']
  const random = createRandom('expects')
  const asked = write.draw({ random, data, past: () => [] })
  const added = { id: 1, name: 'POST /items', operation: write, asked }
  const sent = /** @type {any} */ (asked).json
  const answer = (/** @type {number} */ status, /** @type {unknown} */ json) => /** @type {any} */ ({
    status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(json))
  })
  const tell = (/** @type {any} */ step, /** @type {any} */ seen, /** @type {any[]} */ ...accepted) =>
    step.operation.expects(step, seen, { data, accepted })
  assert.equal(tell(added, answer(201, { id: 2, ...sent })), null)
  assert.match(tell(added, answer(201, { id: 3, ...sent })), /^expected \{"id":2/)
  const read = { id: 2, name: 'GET /feed', operation: operations['GET /feed'], asked: { path: '/feed' } }
  assert.equal(tell(read, answer(200, [data.items[0], { id: 2, ...sent }]), added), null)
  assert.match(tell(read, answer(200, data.items), added), /^expected \[/)
  assert.equal(tell(read, { status: 304, headers: {}, body: Buffer.alloc(0) }, added), null)
})

test('a right answer under load may be written in another way than ours', () => {
  class Received {
    status = 200
    headers = { 'content-type': 'application/json' }
    text () { return '{ "b": 2, "a": 1 }' }
    json () { return JSON.parse(this.text()) }
  }
  assert.equal(wrongReply(new Received(), [{ a: 1, b: 2 }]), undefined)
  assert.match(wrongReply(new Received(), [{ a: 1, b: 3 }]) ?? '', /^expected \{"a":1,"b":3\}, got/)
})
