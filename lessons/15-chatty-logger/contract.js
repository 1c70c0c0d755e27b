import { setTimeout as sleep } from 'node:timers/promises'
import { misplaced } from '../form/kinds.js'
import { onKeptConnections } from '../shared/batches.js'
import { endDuring } from '../shared/ends.js'
import {
  countIds,
  expectLinesAtTheEnd,
  expectLinesWhileAsked,
  expectLoadLogged,
  expectNoSecrets,
  marked,
  watchLog
} from '../shared/log-file.js'
import { garbledBodies, inputs, isoInUtc, toldBy } from './operations.js'
import { productAnswer } from './shop.js'
import { productAt } from './streams.js'

/**
 * @import { Another, Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

const login = { method: 'POST', path: '/sessions' }
/** So much longer than the one before is the next body on its way, ms, where a busy machine has noticed it late. */
const pausesMs = [1100, 1300, 2400]
/** A timer may fire a little early. */
const leastShare = 0.9

/** @type {Check[]} */
export const contract = [
  {
    name: 'keeps secrets out of the log',
    run: (given) => {
      const { random, data } = given
      const [{ token }, { name, pin }] = random.shuffle(data.customers)
      const [foreign, typed] = [random.bytes(16).toString('hex'), random.bytes(12).toString('hex')]
      // Errors quote a few letters of what cannot be parsed: enough for all of this one.
      const short = random.word(5).toUpperCase()
      const both = { authorization: `Bearer ${token}`, cookie: `theme=dark; session=${foreign}` }
      const [method, path, type] = ['POST', '/sessions', { 'content-type': 'application/json' }]
      const [bare, other, password] = [16, 16, 9].map((length) => random.word(length))
      const basic = Buffer.from(`${name}:${password}`).toString('base64')
      // Even where the answer is a refusal or an error: then a log is most talkative.
      return expectNoSecrets(given, [
        { method, path, json: { name, pin } },
        { method, path, json: { name, pin: typed }, headers: both },
        ...misplaced('pin', typed, { name }).map((json) => ({ method, path, json })),
        ...[typed, short].flatMap((pin) => garbledBodies(name, pin)).map((body) => {
          return { method, path, body, headers: { ...type, ...both } }
        }),
        ...['application/x-www-form-urlencoded', 'text/plain', undefined].map((type) =>
          ({ method, path, body: `pin=${typed}&name=${name}`, headers: { 'content-type': type } })),
        ([login]) => ({ path: '/account', headers: { cookie: `session=${login.cookie('session').value}` } }),
        { path: '/account', headers: both },
        { path: '/account', headers: { authorization: `Bearer ${foreign}` } },
        { path: '/account', headers: { authorization: `Basic ${basic}`, cookie: `sid=${other}` } },
        { path: '/account', headers: { authorization: bare } },
        { ...inputs.broken(random, data), headers: both },
        { ...inputs.elsewhere(random, data), method, json: { name, pin: typed }, headers: both }
      ], ([login]) => ({
        'the value of Authorization': token,
        'the value of Set-Cookie': login.cookie('session').value,
        'the value of Cookie': foreign,
        'the value of an Authorization of another kind': basic,
        'the password of an Authorization of another kind': password,
        'the value of an Authorization without a kind': bare,
        'the value of another Cookie': other,
        'a PIN from a body': pin,
        'a wrong PIN from a body': typed,
        'a PIN from a body that is not JSON': short
      }))
    }
  },
  {
    name: 'has the whole URL in the log, however long it is',
    when: ['before'],
    run: async (given) => {
      const { get, random, fail } = given
      const log = await watchLog(given)
      const [id, path] = [random.word(14), `/products/1?long=${'x'.repeat(9000)}${random.word(5)}`]
      await get(path, { headers: { 'x-request-id': id } })
      const [{ url }] = await log.linesOf([id])
      if (url !== path) fail(`access.log: a URL of ${path.length} letters has ${url?.length} in its line`)
    }
  },
  {
    name: 'has the level of its status in every line, also in that of a 304',
    when: ['before'],
    run: async (given) => {
      const { get, random, data, fail } = given
      const log = await watchLog(given)
      const [id, { path }] = [random.word(14), inputs.product(random, data)]
      const { etag = '*' } = (await get(path)).headers
      // A server without ETags answers 200.
      const answer = await get(path, { headers: { 'x-request-id': id, 'if-none-match': etag } })
      const [{ level, status }] = await log.linesOf([id])
      if (status !== answer.status) fail(`access.log: a ${answer.status} has the status ${status} in its line`)
      if (level !== levelOf(status)) fail(`access.log: a ${status} has the level ${level}, not ${levelOf(status)}`)
    }
  },
  {
    name: 'has in the log how long a request took, its body included',
    when: ['before'],
    apart: true,
    run: async (first) => {
      const given = { ...first, ...await first.another() }
      const { get, send, random, data, late } = given
      const log = await watchLog(given)
      let problem = ''
      for (const pauseMs of pausesMs) {
        const id = random.word(14)
        // When another one is answered, the server has noticed that this one has come.
        const between = () => get('/products/1').then(() => sleep(pauseMs))
        const request = { ...inputs.login(random, data), headers: { 'x-request-id': id } }
        await send({ ...request, chunked: true, between })
        const [{ durationMs }] = await log.linesOf([id])
        if (durationMs >= pauseMs * leastShare) return
        problem = `access.log: a request whose body took ${pauseMs} ms to come has a durationMs of ${durationMs}`
      }
      late(problem)
    }
  },
  {
    name: 'writes its lines even under constant load',
    when: ['before'],
    run: (given) => expectLinesWhileAsked(given, {
      draw: () => inputs.product(given.random, given.data).path,
      half: login
    })
  },
  {
    name: 'loses no line when it is stopped, and keeps the order of each client',
    when: ['before'],
    apart: true,
    async run (given) {
      const { another, random, data, fail } = given
      let forced = false
      await expectLinesAtTheEnd(given, { path: inputs.product(random, data).path, half: null })
      const server = await another()
      const log = await watchLog({ ...given, dataDir: server.dataDir })
      const tag = random.word(14)
      const clients = Array.from({ length: 20 }, (_, client) =>
        Array.from({ length: 10 }, (_, index) => `${tag}-${client}-${index}`)
      )
      await askInCrowd(given, server, clients)
      const answered = clients.flat()
      if (server.canAsk) {
        const late = { ...login, json: {}, headers: { 'x-request-id': `${tag}-late` } }
        const end = await endDuring(server, late, async () => {
          await server.get('/products/1', { headers: { 'x-request-id': `${tag}-last` } })
          answered.push(`${tag}-last`)
          // A timer that one of them has started would write the late one's line, too.
          await log.linesOf(answered)
        })
        forced = end.forced
        // A server may cut off what is in flight; what it answers, it logs.
        if (end.isAnswered) answered.push(`${tag}-late`)
      }
      const positions = countIds(await log.linesOf(answered, { patient: !server.canAsk, forced }), fail)
      for (const ids of clients) {
        for (const [index, id] of ids.slice(1).entries()) {
          if (Number(positions.get(id)) > Number(positions.get(ids[index]))) continue
          fail(`access.log: the line of ${id} comes before that of ${ids[index]}, which was answered before it came`)
        }
      }
    }
  },
  {
    name: 'has a line for every request of the load, once and in order',
    when: ['after'],
    run: (given) => expectLoadLogged(given, {
      path: '/products/1',
      isOrdered: true,
      isRight: ({ time, level, method, url, status, durationMs, stack }) => {
        const product = productAt(given.data, String(url))
        const isProduct = String(url).startsWith('/products/')
        const expected = isProduct ? productAnswer(product).status : status
        return method === 'GET' && status === expected && isoInUtc.test(time) && durationMs >= 0 &&
          level === levelOf(status) &&
          (status < 500 || toldBy(stack).startsWith(`product ${product?.id} `))
      }
    })
  }
]

/** @param {number} status */
function levelOf (status) {
  return status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
}

/**
 * As fast as clients with kept-alive connections can be. Each has made-up ids for itself, and no later login ends a
 * session.
 *
 * @param {Given} given @param {Another} server @param {string[][]} clients the ids that each of them sends
 */
async function askInCrowd ({ get, random, data }, server, clients) {
  const sessions = /** @type {string[]} */ ([])
  const madeUp = new Set([(await get('/products/1')).headers['x-request-id']])
  await onKeptConnections((agent) => Promise.all(clients.map(async (ids, client) => {
    for (const [index, id] of ids.entries()) {
      const isNamed = index % 3 !== 1
      const request = inputs[index % 10 === client % 10 ? 'broken' : isNamed ? 'login' : 'product'](random, data)
      const answer = await server.send(isNamed
        ? { ...request, agent, headers: { ...request.headers, 'x-request-id': id } }
        : { ...request, agent, path: marked(request.path, id) })
      if (answer.status === 201) sessions.push(answer.cookie('session').value)
      const newId = answer.headers['x-request-id']
      if (!isNamed && madeUp.has(newId)) answer.fail(`its X-Request-Id, ${newId}, is that of another request, too`)
      madeUp.add(newId)
    }
  })))
  ;(await server.get('/account', { headers: { cookie: `session=${sessions[0]}` } })).expectStatus(200)
}
