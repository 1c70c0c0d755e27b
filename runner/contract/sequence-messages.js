import { rules } from '../shared/model-rules.js'
import { ContractError, send, timeFor } from './client.js'
import { brief } from './compare-answers.js'
import { isAnyOrder, usualCodings } from './operation.js'

/**
 * A sequence that breaks a rule, as a learner can repeat it.
 * @import { Fault } from '../process/index.js'
 * @import { Request } from './client.js'
 * @import { Difference } from './compare-answers.js'
 * @import { Moment, Operation, Plain, Step, Surroundings } from './operation.js'
 *
 * @typedef {object} Failure
 * @property {string} rule as in “your server …”
 * @property {string} of the rule of the operation whose answer was wrong
 * @property {string} message one sentence
 * @property {string[]} requests as lines for a shell, in their order
 */

/** A line that is longer is cut: what matters is mostly at its beginning. */
const mostOfBody = 300
/** A sequence that could not be made short is told by its end. */
const mostLines = 12

/**
 * Which rule does a sequence break that has been made as short as it can be? What it could not do without says it.
 * Pure.
 *
 * @param {Moment[]} moments @param {Step} failing
 */
export function brokenRule (moments, failing) {
  const before = moments.flatMap(({ steps }) => steps).filter((step) => step.id < failing.id)
  const writes = before.filter(({ operation }) => operation.effect !== undefined)
  if (moments.some(({ event }) => event === 'restart')) return rules.restart
  if (moments.some(({ event }) => event === 'load')) return rules.load
  if (moments.some(isAnyOrder)) return rules.together
  const [last] = writes.slice(-1)
  if (last?.operation.effect !== undefined) return last.operation.effect
  if (before.some(({ asked }) => asked === failing.asked)) return rules.again
  return failing.operation.rule
}

/**
 * @param {Moment[]} moments
 * @param {Map<Step, Plain>} done what was really asked
 * @param {Step} failing
 * @param {Difference} difference
 * @param {string} rule
 * @returns {Failure}
 */
export function tell (moments, done, failing, { what, expected, got }, rule) {
  const lines = moments.flatMap(({ steps, event }) => [
    ...(event ? [eventLines[event]] : []),
    ...steps.flatMap((step) => lineOf(step, done)).map((line) => steps.length > 1 ? `${line} &` : line)
  ])
  const request = done.get(failing)
  const isRequest = request !== undefined && !('says' in request)
  const subject = isRequest ? `${request.method ?? 'GET'} ${brief(request.path)}: ` : ''
  const message = `${subject}yours differs from the slow server in ${what}: expected ${expected}, got ${got}`
  const hidden = Math.max(0, lines.length - mostLines)
  const shown = hidden > 1 ? [`# ${hidden} requests before these`, ...lines.slice(hidden)] : lines
  return { rule, of: failing.operation.rule, message, requests: shown }
}

const eventLines = {
  restart: '# stop the server, and start it again on the same data',
  load: '# from here on, the check sends many other requests at the same time',
  rest: '# all of those have been answered'
}

/** @param {Step} step @param {Map<Step, Plain>} done @returns {string[]} */
function lineOf (step, done) {
  const plain = done.get(step)
  if (plain === undefined) return []
  if (!('says' in plain)) return [curl({ accepts: step.transport.accepts, ...plain })]
  return [`# ${plain.says}`, ...('faults' in plain && plain.faults ? [faultLine(plain.faults)] : [])]
}

/** The same request for a shell. @param {Request} request */
export function curl ({ method = 'GET', path, headers = {}, json, body, accepts }) {
  const isUsual = accepts === undefined || accepts === usualCodings
  const all = {
    ...(isUsual ? {} : { 'Accept-Encoding': accepts }),
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers
  }
  const text = json === undefined ? body?.toString() : JSON.stringify(json)
  return [
    accepts === undefined ? 'curl -i' : 'curl -i --compressed',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '-I' : `-X ${method}`]),
    ...Object.entries(all).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(text === undefined ? [] : [`-d ${quote(text.length > mostOfBody ? `${text.slice(0, mostOfBody)}…` : text)}`]),
    quote(`http://127.0.0.1:PORT${path}`)
  ].join(' ')
}

/**
 * Sets what goes wrong with the service from then on, where `npm run serve` has started it.
 *
 * @param {readonly Fault[]} faults
 */
function faultLine (faults) {
  return `curl -d ${quote(JSON.stringify(faults))} 'http://127.0.0.1:FAULTS'`
}

/** For sh, as for every shell that knows single quotes. @param {string} text */
function quote (text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Requests that come along on any port that is open to the world: no lesson's text speaks of them, servers answer them
 * as they like, and none dies of them.
 */

/** @type {Record<string, string>[]} */
const headers = [
  { cookie: 'a=50%; b; =' },
  { 'accept-language': ';;q=x' },
  { 'if-none-match': '"' },
  { 'accept-encoding': 'gzip;q=x, ,*' },
  { range: 'bytes=9-1' },
  { authorization: 'Bearer' }
]

/** @type {Request[]} */
const requests = [
  ...['//', '//x', '/%', '/%zz', '/?%', '/..', '/%cc', '/?=&=='].map((path) => ({ path })),
  ...headers.map((headers) => ({ path: '/', headers }))
]

/** All of them once in each sequence. @type {Operation} */
export const stray = {
  rule: rules.stray,
  weight: 0.01,
  draw: ({ random }) => {
    const shuffled = random.shuffle(requests)
    return {
      says: 'the answers to unexpected requests',
      look: async (server) => {
        for (const request of shuffled) {
          const failure = await failureOf(server, request)
          if (failure) return failure
        }
        return 'one to each'
      }
    }
  }
}

/** @param {Surroundings} server @param {Request} request */
async function failureOf (server, request) {
  try {
    await send(server.origin, request, timeFor(server))
    return null
  } catch (error) {
    if (error instanceof ContractError) return error.message
    throw error
  }
}
