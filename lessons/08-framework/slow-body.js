import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LateError } from '../../runner/contract/index.js'

/** How long half a body waits for the other half, and how much of that must be measured. */
const pauseMs = 60
const leastMs = 20
/** A busy machine reads the beginning late, but not every time. */
const tries = 3
const mostMs = 5000

/**
 * A request whose body arrives slowly, during another request, takes as long as it takes.
 *
 * @param {{ origin: string, patience?: number }} server
 * @returns {Promise<string>} its X-Response-Time
 */
export async function measuresSlowBody ({ origin, patience = 1 }) {
  let said = ''
  for (let left = tries; left > 0; left--) {
    said = await timeOfSlowBody(origin, patience * mostMs)
    if (parseFloat(said) >= leastMs) return 'the whole time'
  }
  if (said === '') throw new LateError(`no answer to a body that arrives slowly within ${patience * mostMs / 1000} s`)
  return `${said} for a request that took more than ${pauseMs} ms`
}

/** @param {string} origin @param {number} limitMs @returns {Promise<string>} */
async function timeOfSlowBody (origin, limitMs) {
  /** @param {http.RequestOptions} [options] */
  const ask = (options) =>
    http.request(`${origin}/items`, { agent: false, signal: AbortSignal.timeout(Math.ceil(limitMs)), ...options })
  const slow = ask({ method: 'POST', headers: { 'Content-Type': 'application/json' } })
  const answer = timeOf(slow)
  slow.write('{"name": ')
  await timeOf(ask().end())
  await sleep(pauseMs)
  await timeOf(ask().end())
  slow.end('""}')
  return answer
}

/** @param {http.ClientRequest} request @returns {Promise<string>} nothing without an answer */
function timeOf (request) {
  return new Promise((resolve) => {
    request.on('error', () => resolve(''))
    request.on('response', (answer) => {
      answer.resume()
      answer.on('close', () => resolve(String(answer.headers['x-response-time'])))
    })
  })
}
