import { nearSecrets, oddHeader, oddKeys, oddNumbers } from '../form/kinds.js'
import { countDrawn } from '../shared/answers.js'
import { idOf, lookAtLog } from '../shared/log-file.js'
import { cookieForms, cookieOf, elsewhereForms, strangeSessions, withSession } from '../shared/sessions.js'

/**
 * @import { Operation, Random } from '../../runner/lesson/index.js'
 * @import { DrawGiven } from '../form/types.js'
 *
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, json?: unknown, body?: string }} Request
 */

export const login = { method: 'POST', path: '/sessions' }
/** Kinds of ids that no product has. */
const unknowns = 8
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * What can be asked, without ids: of a sequence and of the load.
 *
 * @type {Record<string, (random: Random, data: any, at?: number) => Request>} at: which of those that differ in kind
 */
export const inputs = {
  product: (random, data) => {
    const { id } = random.pick(data.products.filter((/** @type {any} */ { cents }) => cents !== undefined))
    return { path: `/products/${id}${random.pick(queries)(random.word(5))}` }
  },
  unknown: (random, data, at = random.int(0, unknowns - 1)) => {
    const ids = [...oddNumbers(random, random.pick(data.products).id), String(random.int(1000, 9999))]
    const id = ids[at % unknowns] ?? random.pick(oddKeys(random))
    return { path: `/products/${id}${random.pick(queries)(random.word(5))}` }
  },
  broken: (random, data) => {
    const proof = random.pick([bearer(random.pick(data.customers).token), cookieOf(random.word(9))])
    const headers = /** @type {Record<string, string>} */ (random.pick([{}, proof]))
    const { id } = random.pick(data.products.filter((/** @type {any} */ { cents }) => cents === undefined))
    return { path: `/products/${id}${random.pick(queries)(random.word(5))}`, headers }
  },
  elsewhere: (random, data, at = random.int(0, methods.length - 1)) => {
    const rest = random.pick(['', '/', `/${random.word(3)}`, `//${random.word(3)}`, `/../${random.word(3)}`])
    const method = methods[at % methods.length]
    return { method, path: `/${random.word(8)}${rest}${random.pick(queries)(random.word(5))}` }
  },
  account: (random, data) => ({ path: '/account', headers: bearer(random.pick(data.customers).token) }),
  report: () => ({ path: '/report' }),
  stranger: (random, data) => {
    const { name, token, pin } = random.pick(data.customers)
    const foreign = random.bytes(20).toString('hex')
    const strange = [bearer(foreign), bearer(token.slice(0, -1)), bearer(pin)]
    const sessions = [foreign, token, ...strangeSessions('shop.json', name)].map(cookieOf)
    const cookies = [...sessions, { cookie: `theme=dark; token=${token}` }]
    return { path: '/account', headers: random.pick([undefined, ...strange, ...cookies]) }
  },
  login: (random, data) => {
    const { name, pin } = random.pick(data.customers)
    return { ...login, json: { name, pin } }
  },
  wrongPin: (random, data) => {
    const [{ name, pin }, other] = random.shuffle(data.customers)
    const json = random.pick([
      { name, pin: other.pin },
      { name, pin: random.bytes(12).toString('hex') },
      ...nearSecrets(pin).map((pin) => ({ name, pin })),
      { name: random.pick([random.word(8), 'constructor', '__proto__']), pin }
    ])
    return { ...login, json }
  },
  garbled: (random, data) => {
    const { name, pin } = random.pick(data.customers)
    return { ...login, headers: { 'content-type': 'application/json' }, body: random.pick(garbledBodies(name, pin)) }
  }
}

/** Bodies of a login that aren't JSON: the fault is before, in or after the PIN. */
export function garbledBodies (/** @type {string} */ name, /** @type {string} */ pin) {
  return [
    `{"name":"${name}","pin":"${pin}"`,
    `{"name":"${name}","pin":'${pin}'}`,
    `{"name":"${name}","pin":x${pin}}`,
    `{"name":"${name}","pin":"${pin}"x}`,
    `{pin:"${pin}",name:"${name}"}`,
    `pin=${pin}&name=${name}`,
    `x${pin}`
  ]
}

/** Queries don't matter to the shop, but must be in the log. @type {((word: string) => string)[]} */
const queries = [
  () => '',
  () => '',
  (word) => `?ref=${word}`,
  (word) => `?q="x\\y",%22%0a&${word}`,
  (word) => `?q=%7B%22a%22:1%7D&q=${word}&empty=`,
  (word) => `?name=caf%C3%A9+${word}%20%E6%9D%B1`
]

/** @param {string} token */
function bearer (token) {
  return { authorization: `Bearer ${token}` }
}

/** With its own id, which a log may stumble over. @param {Random} random @param {Request} request */
function named (random, request) {
  const word = random.word(12)
  const id = random.pick([word, oddHeader(random, word)])
  const name = random.pick(['X-Request-Id', 'x-request-id', 'X-REQUEST-ID', 'X-Request-ID'])
  const said = `"${random.word(5)}\\",\t'\xe9'`
  const more = /** @type {Record<string, string>} */ (random.pick([{}, { 'user-agent': said }, { referer: said }]))
  return { ...request, headers: { ...more, ...request.headers, [name]: id } }
}

/** @param {string} name of an input @param {Partial<Operation> & { rule: string }} rest @returns {Operation} */
function asking (name, rest) {
  return {
    headers: ['x-request-id'],
    draw: ({ random, data, past }) => named(random, inputs[name](random, data, countDrawn(past(name)))),
    ...rest
  }
}

/** @param {DrawGiven} given @param {typeof cookieForms} forms */
function visiting (given, forms) {
  return withSession(given, { forms, request: named(given.random, { path: '/account' }) })
}

/** @type {Record<string, Operation>} */
export const operations = {
  product: asking('product', { rule: 'sends a product with its price', weight: 4 }),
  unknown: asking('unknown', { rule: 'answers 404 for a product that is not there', weight: 2, least: unknowns }),
  broken: asking('broken', { rule: 'answers 500 for a product that has lost its price', weight: 3 }),
  elsewhere: asking('elsewhere', { rule: 'answers 404 elsewhere', weight: 2, least: methods.length }),
  account: asking('account', { rule: 'shows an account to the client with its token', weight: 2 }),
  stranger: asking('stranger', {
    rule: 'shows no account to strangers',
    weight: 3,
    draw: (given) => (given.random.next() < 0.4 && visiting(given, elsewhereForms(given.data.customers))) ||
      named(given.random, inputs.stranger(given.random, given.data))
  }),
  report: asking('report', { rule: 'counts its products in the report', weight: 0.5, least: 3 }),
  login: asking('login', {
    rule: 'opens a session for the right PIN',
    effect: 'recognises a visitor by the session cookie',
    touches: ['visitor'],
    weight: 2
  }),
  wrongPin: asking('wrongPin', { rule: 'opens no session for a wrong PIN', weight: 2 }),
  garbled: asking('garbled', { rule: 'refuses a body that is not JSON', loose: true }),
  visitor: asking('visitor', {
    rule: 'shows an account to the client with its cookie',
    draw: (given) => visiting(given, cookieForms)
  }),
  unnamed: {
    rule: 'answers a request without an id',
    weight: 2,
    draw: ({ random, data }) => inputs[random.pick(['product', 'unknown', 'broken', 'stranger'])](random, data)
  },
  log: lookAtLog({
    rule: 'has one line of JSON in the log for every request, with what it was and what became of it',
    weight: 7,
    names: () => Object.keys(operations).filter((name) => name !== 'log'),
    keyOf: ({ answer }) => answer.headers['x-request-id'] ?? 'no X-Request-Id in the answer',
    isOf: ({ id }, key) => id === key,
    isOrdered: true,
    // The warehouse takes 60 ms; timers may fire a little early.
    leastMs: ({ request }) => request.path === '/report' ? 57 : 0,
    read: ({ time, level, id, stack, status }, { request }) => ({
      level,
      id: idOf(request) === undefined ? 'that of the answer' : id,
      form: isoInUtc.test(time) ? 'ISO 8601 in UTC' : time,
      stack: status < 500 ? 'not needed' : toldBy(stack)
    })
  })
}

export const isoInUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|\+00:?00)$/

/** What the stack of an error says: its frames are every server's own. @param {unknown} stack */
export function toldBy (stack) {
  const [, message] = /(product \d+ has no price)[^]*\n\s+at /.exec(String(stack)) ?? []
  return message ?? `${stack}, without frames`
}
