import { isDeepStrictEqual } from 'node:util'
import { changeAsked, valueOf } from './requests.js'

/**
 * Clients, if answers depend on them: what they send, and what every answer to them has. Pure except for the
 * random numbers that they are handed.
 *
 * @import { Asked } from '../../runner/contract/index.js'
 * @import { Item, LoadAnswer, Operation, Random } from '../../runner/lesson/index.js'
 * @import { Model } from './model.js'
 * @import { Clients } from './types.js'
 */

/** Under load, this few clients send all requests. */
const crowdSize = 60

/**
 * Makes a client send every operation.
 *
 * @param {Record<string, Operation>} operations
 * @param {Clients} [clients]
 * @returns {Record<string, Operation>}
 */
export function askedByClients (operations, clients) {
  if (clients === undefined) return operations
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, {
    ...operation,
    // What a client is shown depends on the client.
    expects: undefined,
    headers: [...clients.headers, ...operation.headers ?? []],
    meaning: operation.meaning ?? clients.meaning,
    draw: (given) => asClient(operation.draw(given), given, clients)
  }]))
}

/**
 * @param {Asked | null} asked
 * @param {{ random: Random, data: any }} given
 * @param {Clients} clients
 * @returns {Asked | null}
 */
function asClient (asked, { random, data }, { draw, sends }) {
  if (asked === null) return null
  const client = draw({ random, data, by: valueOf(asked)?.by })
  // What follows from answers is asked of both servers, with the same random numbers.
  const label = typeof asked === 'function' ? String(random.next()) : null
  return changeAsked(asked, (plain) =>
    'path' in plain ? sends(plain, client, label === null ? random : random.fork(label)) : plain)
}

/**
 * The clients of one server under load.
 *
 * @param {Clients | undefined} clients
 * @param {{ random: Random, data: any, model: Model }} given
 * @returns {() => any} one of them
 */
export function crowdOf (clients, { random, data, model }) {
  if (clients === undefined) return () => undefined
  if (model.crowd.length === 0) {
    model.crowd.push(...Array.from({ length: crowdSize }, () => clients.draw({ random, data })))
  }
  return () => random.pick(model.crowd)
}

/**
 * A request of the load as a client sends it, and its answer as that client must get it.
 *
 * @param {Item} item
 * @param {Clients} clients
 * @param {{ client: any, random: Random, model: Model }} given
 * @returns {Item}
 */
export function fromClient (item, clients, { client, random, model: { seen } }) {
  const sent = clients.sends(item, client, random)
  const headers = clients.gets(client, sent)
  return {
    ...sent,
    check: (answer) => item.check(answer) ?? wrongHeader(answer, headers, clients) ?? clients.wrong?.(answer, seen)
  }
}

/**
 * @param {LoadAnswer} answer
 * @param {Record<string, string>} wanted
 * @param {Clients} clients
 */
function wrongHeader (answer, wanted, { headers }) {
  const model = /** @type {any} */ ({ headers: wanted, elapsedMs: Infinity })
  for (const header of headers) {
    const name = typeof header === 'string' ? header : header.name
    if (answer.headers[name] === wanted[name]) continue
    const read = typeof header === 'string' ? asItIs : header.read
    const [expected, got] = [read(wanted[name], model), read(answer.headers[name], /** @type {any} */ (answer))]
    if (expected === got || isDeepStrictEqual(expected, got)) continue
    const shown = typeof expected === 'string' ? expected : wanted[name] ?? 'none'
    return `the header ${name} is ${answer.headers[name] ?? 'missing'}, expected ${shown}`
  }
}

/** @param {string | undefined} value */
function asItIs (value) {
  return value
}
