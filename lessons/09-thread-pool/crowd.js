import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LateError } from '../../runner/contract/index.js'

/** @typedef {{ method: string, path: string, json: unknown }} Asked */

/** How long clients wait before they disconnect. */
const waitMs = 15
const mostMs = 8000

/**
 * All send their requests at once, and some close their connections before they have a response.
 *
 * @param {{ origin: string, patience?: number }} server
 * @param {Asked[]} crowd
 * @param {{ from: number, to: number }} leaving these, in the order in which they came; to: not this one
 * @returns {Promise<(number | string)[]>} what became of the others: the status, or why there's none
 */
export async function leaveEarly ({ origin, patience = 1 }, crowd, { from, to }) {
  const visits = crowd.map((asked) => visit(origin, asked, patience * mostMs))
  await sleep(waitMs)
  for (const { leave } of visits.slice(from, to)) leave()
  const staying = await Promise.all([...visits.slice(0, from), ...visits.slice(to)].map(({ answer }) => answer))
  for (const { leave } of visits) leave()
  return staying
}

/** @param {string} origin @param {Asked} asked @param {number} limitMs */
function visit (origin, { method, path, json }, limitMs) {
  const body = JSON.stringify(json)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  const req = http.request(origin + path, { method, headers, agent: false })
  /** @type {Promise<number | string>} */
  const answer = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new LateError(`${path}: no answer within ${limitMs / 1000} s`)), limitMs)
    const settle = (/** @type {number | string} */ what) => {
      clearTimeout(timer)
      resolve(what)
    }
    req.on('response', (res) => {
      res.resume()
      res.on('error', () => {})
      settle(Number(res.statusCode))
    })
    req.on('error', () => settle('no answer'))
  })
  // Nobody waits for those who leave.
  answer.catch(() => {})
  req.end(body)
  return { answer, leave: () => { req.destroy() } }
}
