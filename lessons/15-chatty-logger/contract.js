import { setTimeout as sleep } from 'node:timers/promises'
import { misplaced } from '../form/kinds.js'
import { onKeptConnections } from '../shared/batches.js'
import { endDuring } from '../shared/ends.js'
import {
  expectLinesAtTheEnd, expectLinesWhileAsked, expectLoadLogged, expectNoSecrets, lineOf, marked, watchLog
} from '../shared/log-file.js'
import { cookieOf } from '../shared/sessions.js'
import { garbledBodies, inputs, isoInUtc, login, toldBy } from './operations.js'
import { productAnswer, productAt } from './shop.js'

/**
 * @import { Another, Given } from '../../runner/contract/index.js'
 * @import { FormContract } from '../form/types.js'
 */

/** So much longer than the one before is the next body on its way, ms, where a busy machine has noticed it late. */
const pausesMs = [1100, 1300, 2400]
/** Of so many requests most are over for the server when they're over for the client, or so much later. */
const [quick, noticedMs] = [20, 30]

/** @type {FormContract} */
export const contract = {
  always: {
    'keeps secrets out of the log': (given) => {
      const { random, data } = given
      const [{ token }, { name, pin }] = random.shuffle(data.customers)
      const [foreign, typed] = [random.bytes(16).toString('hex'), random.bytes(12).toString('hex')]
      // Errors quote a few letters of what cannot be parsed: enough for all of this one.
      const short = random.word(5).toUpperCase()
      const both = { authorization: `Bearer ${token}`, cookie: `theme=dark; session=${foreign}` }
      const [bare, other, password] = [16, 16, 9].map((length) => random.word(length))
      const basic = Buffer.from(`${name}:${password}`).toString('base64')
      const account = (/** @type {Record<string, string>} */ headers) => ({ path: '/account', headers })
      // Even where the answer is a refusal or an error: then a log is most talkative.
      return expectNoSecrets(given, [
        { ...login, json: { name, pin } },
        { ...login, json: { name, pin: typed }, headers: both },
        ...misplaced('pin', typed, { name }).map((json) => ({ ...login, json })),
        ...[typed, short].flatMap((pin) => garbledBodies(name, pin))
          .map((body) => ({ ...login, body, headers: { 'content-type': 'application/json', ...both } })),
        ...['application/x-www-form-urlencoded', 'text/plain', undefined]
          .map((type) => ({ ...login, body: `pin=${typed}&name=${name}`, headers: { 'content-type': type } })),
        ([login]) => account(cookieOf(login.cookie('session').value)),
        account(both),
        account({ authorization: `Bearer ${foreign}` }),
        account({ authorization: `Basic ${basic}`, cookie: `sid=${other}` }),
        account({ authorization: bare }),
        { ...inputs.broken(random, data), headers: both },
        { ...inputs.elsewhere(random, data), method: 'POST', json: { name, pin: typed }, headers: both }
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
  before: {
    'has the whole URL in the log, however long it is': async (given) => {
      const path = `/products/1?long=${'x'.repeat(9000)}${given.random.word(5)}`
      const { line: { url } } = await lineOf(given, { path })
      if (url !== path) given.fail(`access.log: a URL of ${path.length} letters has ${url?.length} in its line`)
    },
    'has the level of its status in every line, also in that of a 304': async (given) => {
      const { get, random, data, fail } = given
      const { path } = inputs.product(random, data)
      // A server without ETags answers 200.
      const { etag = '*' } = (await get(path)).headers
      const { answer, line: { level, status } } = await lineOf(given, { path, headers: { 'if-none-match': etag } })
      if (status !== answer.status) fail(`access.log: a ${answer.status} has the status ${status} in its line`)
      if (level !== levelOf(status)) fail(`access.log: a ${status} has the level ${level}, not ${levelOf(status)}`)
    },
    'writes its lines even under constant load': (given) =>
      expectLinesWhileAsked(given, { draw: () => inputs.product(given.random, given.data).path, half: login })
  },
  apart: {
    'has in the log how long a request took, its body included': async (first) => {
      const given = { ...first, ...await first.another() }
      const [log, tag] = [await watchLog(given), given.random.word(14)]
      /** @type {Map<string, number>} what the client had to wait, by id */
      const waits = new Map()
      for (let at = 0; at < quick; at++) {
        const id = `${tag}-${at}`
        waits.set(id, (await given.get('/products/1', { headers: { 'x-request-id': id } })).elapsedMs)
        await sleep(given.random.int(1, 10))
      }
      const isLonger = (/** @type {any} */ { id, durationMs }) => durationMs > Number(waits.get(id)) + noticedMs
      const longer = (await log.linesOf([...waits.keys()])).filter(isLonger)
      let problem = `access.log: of ${quick} requests, ${longer.length} have a durationMs of much more than their ` +
        `clients waited, ${longer[0]?.durationMs} for example`
      if (longer.length > quick / 2) given.late(problem)
      for (const pauseMs of pausesMs) {
        // When another one is answered, the server has noticed that this one has come.
        const between = () => given.get('/products/1').then(() => sleep(pauseMs))
        const request = inputs.login(given.random, given.data)
        const { line: { durationMs } } = await lineOf(given, { ...request, chunked: true, between })
        // A timer may fire a little early.
        if (durationMs >= 0.9 * pauseMs) return
        problem = `access.log: a request whose body took ${pauseMs} ms to come has a durationMs of ${durationMs}`
      }
      given.late(problem)
    },
    'loses no line when it is stopped, and keeps the order of each client': async (given) => {
      const { another, random, data, fail } = given
      let forced = false
      await expectLinesAtTheEnd(given, { path: inputs.product(random, data).path, half: null })
      const server = await another()
      const log = await watchLog({ ...given, dataDir: server.dataDir })
      const tag = random.word(14)
      const clients = Array.from({ length: 20 }, (_, client) =>
        Array.from({ length: 10 }, (_, index) => `${tag}-${client}-${index}`))
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
      const lines = await log.linesOf(answered, { patient: !server.canAsk, forced })
      for (const ids of clients) {
        const logged = lines.map(({ id }) => id).filter((id) => ids.includes(id))
        const at = logged.findIndex((id, at) => id !== ids[at])
        if (at === -1) continue
        fail(`access.log: the line of ${logged[at]} comes before that of ${ids[at]}, which was answered before it came`)
      }
    }
  },
  after: {
    'has a line for every request of the load, once and in order': (given) => expectLoadLogged(given, {
      path: '/products/1',
      isOrdered: true,
      isRight: ({ time, level, method, url, status, durationMs, stack }) => {
        const product = productAt(given.data, String(url))
        const isProduct = String(url).startsWith('/products/')
        return method === 'GET' && isoInUtc.test(time) && durationMs >= 0 && level === levelOf(status) &&
          (!isProduct || status === productAnswer(product).status) &&
          (status < 500 || toldBy(stack).startsWith(`product ${product?.id} `))
      }
    })
  }
}

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
  const ofFirst = { headers: cookieOf(sessions[0]) }
  ;(await server.get('/account', ofFirst)).expectStatus(200)
  // Another server doesn't know it.
  ;(await get('/account', ofFirst)).expectStatus(401)
}
