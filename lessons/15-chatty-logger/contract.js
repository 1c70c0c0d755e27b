import { setTimeout as sleep } from 'node:timers/promises'
import { countIds, parseLines, readLog, watchLog } from '../shared/log-file.js'
import { brokenProduct } from './shop.js'
import { loadTag } from './streams.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 * @import { Line } from '../shared/log-file.js'
 */

// The report takes 60 ms; timers may fire a little early.
const reportMs = 50
// Between a server's clock and ours: only wrong units and made-up figures are further apart.
const slackMs = 1000

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers every request as before',
    when: ['before'],
    async run ({ same, random, data }) {
      const { name, pin, token } = random.pick(data.customers)
      const bearer = { authorization: `Bearer ${token}` }
      for (const product of [data.products[0], random.pick(data.products), brokenProduct(data), { id: 'none' }]) {
        await same({ path: `/products/${product.id}` })
      }
      await same({ path: '/account', headers: bearer })
      await same({ path: '/account' })
      await same({ path: '/report' })
      await same({ path: `/${random.word(7)}` })
      await same({ method: 'POST', path: '/sessions', json: { name, pin } })
      await same({ method: 'POST', path: '/sessions', json: { name, pin: 'wrong' } })
      await same({ method: 'POST', path: '/sessions', body: '{', headers: { 'content-type': 'application/json' } })
    }
  },
  {
    name: 'opens a session that its cookie proves',
    async run ({ post, get, random, data }) {
      const { name, pin, points } = random.pick(data.customers)
      const opened = await post('/sessions', { json: { name, pin } })
      const cookie = opened.expectStatus(201).expectCookie('session', { httpOnly: true })
      const account = await get('/account', { headers: { cookie: `session=${cookie.value}` } })
      account.expectStatus(200).expectJson({ name, points })
    }
  },
  {
    name: 'writes one line for every request, with the documented fields',
    async run (given) {
      const { send, random, data, dataDir, fail } = given
      const log = await watchLog(dataDir, fail)
      const tag = newTag(random)
      /** @type {{ path: string, status: number, method?: string, json?: unknown }[]} */
      const mixed = [
        { path: `/products/${pickWithPrice(given).id}?ref=${random.word(4)}`, status: 200 },
        { path: '/account', status: 401 },
        { path: `/${random.word(8)}?q=%22a%20b`, status: 404 },
        { path: `/products/${brokenProduct(data).id}`, status: 500 },
        { method: 'POST', path: '/sessions', json: { name: random.word(5), pin: 'wrong' }, status: 401 },
        ...Array.from({ length: 10 }, () => ({ path: `/products/${pickWithPrice(given).id}`, status: 200 }))
      ]
      const requests = mixed.map((request, index) => ({ ...request, id: `${tag}-${index}` }))
      const sentAt = Date.now()
      for (const { id, path, method, status, ...rest } of requests) {
        (await send({ path, method, ...rest, headers: { 'x-request-id': id } }))
          .expectStatus(status)
          .expectHeader('x-request-id', id)
      }
      const lines = await log.linesOf(requests.map(({ id }) => id))
      for (const { id, path, method = 'GET', status } of requests) {
        const line = find(lines, id)
        expectFields(
          line,
          { method, url: path, status, level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info' },
          fail
        )
        expectTime(line, sentAt, fail)
        if (
          typeof line.durationMs !== 'number' ||
          line.durationMs < 0 ||
          line.durationMs > Date.now() - sentAt + slackMs
        ) {
          fail(`access.log: ${method} ${path}: durationMs is ${JSON.stringify(line.durationMs)}`)
        }
      }
    }
  },
  {
    name: 'gives a request without an id one of its own, in the answer and in the line',
    async run (given) {
      const { get, dataDir, fail } = given
      const log = await watchLog(dataDir, fail)
      const path = `/products/${pickWithPrice(given).id}`
      for (const answer of [await get(path), await get(path)]) {
        const id = answer.expectHeader('x-request-id').headers['x-request-id']
        const [line] = await log.linesOf([id])
        expectFields(line, { url: path }, fail)
      }
    }
  },
  {
    name: 'logs how long a request really took',
    when: ['before'],
    async run ({ get, random, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const id = newTag(random)
      const answer = await get('/report', { headers: { 'x-request-id': id } })
      const [line] = await log.linesOf([id])
      if (!(line.durationMs >= reportMs && line.durationMs <= answer.elapsedMs + slackMs)) {
        fail(
          `access.log: GET /report takes the server 60 ms and took the client ${answer.elapsedMs.toFixed(0)} ms, but ` +
            `durationMs is ${JSON.stringify(line.durationMs)}`
        )
      }
    }
  },
  {
    name: 'logs the stack of an error',
    async run ({ get, random, data, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const [tag, broken] = [newTag(random), brokenProduct(data)]
      const path = `/products/${broken.id}`
      ;(await get(path, { headers: { 'x-request-id': tag } })).expectStatus(500)
      const [{ stack }] = await log.linesOf([tag])
      if (typeof stack !== 'string') fail(`access.log: GET ${path} answers 500, but its line has no stack`)
      if (!stack.includes(`product ${broken.id} has no price`) || !/\n\s+at /.test(stack)) {
        fail(
          `access.log: GET ${path}: expected the stack of the error “product ${broken.id} has no price”, got ` +
            `${JSON.stringify(stack.slice(0, 100))}`
        )
      }
    }
  },
  {
    name: 'keeps lines whole, whatever a request holds',
    async run ({ get, random, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const tag = newTag(random)
      const ids = [`${tag}"quoted"`, `${tag}\\back\\`, `${tag}","level":"none`, `${tag}%0a%s`]
      const url = '/products/1?q="x\\y",%22%0a'
      for (const id of ids) await get(url, { headers: { 'x-request-id': id } })
      for (const line of await log.linesOf(ids)) {
        expectFields(line, { method: 'GET', url, level: line.status === 500 ? 'error' : 'info' }, fail)
      }
    }
  },
  {
    name: 'keeps secrets out of the log',
    async run ({ get, post, random, data, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const { name, pin, token } = random.pick(data.customers)
      const [tag, foreign] = [newTag(random), random.bytes(16).toString('hex')]
      const id = (/** @type {number} */ index) => `${tag}-${index}`
      await get('/account', { headers: { 'x-request-id': id(1), authorization: `Bearer ${token}` } })
      const { value } = (await post('/sessions', { json: { name, pin }, headers: { 'x-request-id': id(2) } })).cookie(
        'session'
      )
      await get('/account', { headers: { 'x-request-id': id(3), cookie: `theme=dark; session=${foreign}` } })
      await log.linesOf([id(1), id(2), id(3)])
      const text = await log.rest()
      for (const [secret, what] of [
        [token, 'the value of Authorization'],
        [value, 'the value of Set-Cookie'],
        [foreign, 'the value of Cookie'],
        [pin, 'a PIN from a body']
      ]) {
        if (text.includes(secret)) fail(`access.log holds ${what}: whoever may read the log can act as that customer`)
      }
    }
  },
  {
    name: 'loses no line when it is stopped, and keeps the order of each client',
    when: ['before'],
    async run (given) {
      const { another, random, data, fail } = given
      const server = await another()
      const log = await watchLog(server.dataDir, fail)
      const tag = newTag(random)
      const clients = Array.from({ length: 20 }, (_, client) =>
        Array.from({ length: 10 }, (_, index) => `${tag}-${client}-${index}`)
      )
      const broken = brokenProduct(data).id
      await Promise.all(clients.map(async (ids, client) => {
        for (const [index, id] of ids.entries()) {
          const product = index % 10 === client % 10 ? broken : pickWithPrice(given).id
          await server.get(`/products/${product}`, { headers: { 'x-request-id': id } })
        }
      }))
      const answered = clients.flat()
      if (server.canAsk) {
        const late = server.get('/report', { headers: { 'x-request-id': `${tag}-late` } }).then(() => true, () => false)
        await Promise.all([sleep(5), server.get('/products/1', { headers: { 'x-request-id': `${tag}-last` } })])
        await server.stop()
        answered.push(`${tag}-last`)
        // A server may cut off what is under way; what it answers, it logs.
        if (await late) answered.push(`${tag}-late`)
      }
      const positions = countIds(await log.linesOf(answered, { patient: !server.canAsk }), fail)
      for (const ids of clients) {
        for (const [index, id] of ids.slice(1).entries()) expectAfter(positions, ids[index], id, fail)
      }
    }
  },
  {
    name: 'has a line for every request of the load, once and in order',
    when: ['after'],
    async run ({ get, random, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const last = newTag(random)
      // When this line is there, so must be those before it.
      await get('/products/1', { headers: { 'x-request-id': last } })
      await log.linesOf([last])
      const lines = parseLines(await readLog(dataDir), () => true, fail)
      const loaded = lines.filter(({ id }) => typeof id === 'string' && id.startsWith(`${loadTag}-`))
      const positions = countIds(loaded, fail)
      /** @type {Map<string, string>} the ids so far, by what later ones call them */
      const names = new Map()
      for (const { id } of loaded) {
        const [, tag, number, before] = /^(.*?-.*?)-(\d+)-after-(\d+)$/.exec(id) ?? []
        names.set(`${tag}-${number}`, id)
        if (before === '0') continue
        const earlier = names.get(`${tag}-${before}`)
        if (earlier === undefined) {
          const later = [...positions.keys()].find((other) => other.startsWith(`${tag}-${before}-after-`))
          fail(later
            ? `access.log: the line of ${later} stands behind that of ${id}, which was sent after its answer`
            : `access.log: request ${tag}-${before} was answered under load and has no line`)
        }
      }
    }
  }
]

/** @param {Random} random */
function newTag (random) {
  return `${random.word(8)}${random.word(6)}`
}

/** @param {Given} given */
function pickWithPrice ({ random, data }) {
  return random.pick(data.products.filter((/** @type {any} */ { cents }) => cents !== undefined))
}

/** @param {Line[]} lines @param {string} id */
function find (lines, id) {
  return lines.find((line) => line.id === id) ?? {}
}

/** @param {Line} line @param {Record<string, unknown>} fields @param {Given['fail']} fail */
function expectFields (line, fields, fail) {
  for (const [name, value] of Object.entries(fields)) {
    if (line[name] !== value) {
      fail(
        `access.log, the line of ${JSON.stringify(line.id)}: expected ${name} ${JSON.stringify(value)}, got ` +
          `${JSON.stringify(line[name])}`
      )
    }
  }
}

/** @param {Line} line @param {number} sentAt ms @param {Given['fail']} fail */
function expectTime ({ id, time }, sentAt, fail) {
  const at = typeof time === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time) ? Date.parse(time) : NaN
  if (!(at > sentAt - slackMs && at < Date.now() + slackMs)) {
    fail(
      `access.log, the line of ${JSON.stringify(id)}: expected time in ISO 8601, UTC, of now, got ` +
        `${JSON.stringify(time)}`
    )
  }
}

/** @param {Map<string, number>} positions @param {string} earlier @param {string} later @param {Given['fail']} fail */
function expectAfter (positions, earlier, later, fail) {
  if (/** @type {number} */ (positions.get(earlier)) > /** @type {number} */ (positions.get(later))) {
    fail(`access.log: the line of ${later} stands before that of ${earlier}, which was answered before it was sent`)
  }
}
