import { alikeKeys } from '../form/kinds.js'
import { countDrawn } from '../shared/answers.js'
import { pageOfItsOwn } from './pages.js'
import { services } from './services.js'

/**
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { DrawGiven, FormOperation } from '../form/types.js'
 */

/** Visitors who come again and again. */
const regulars = 3
/** No service takes so much longer that a call would be given up. */
const lateMs = 60
/** What a page can't carry. A page that comes with one of these gets another id each time. */
export const noIds =
  [undefined, '', 'short-7', 'long'.padEnd(65, '-'), 'page of-the-day', 'dotted.page', '.page-of-the-day']

/** @type {Record<string, FormOperation>} */
export const operations = {
  page: {
    rule: 'sends a page made of what the upstream says',
    weight: 4,
    headers: ['x-request-id'],
    draw: ({ random, data }) => askFor(someUser(random, data), newRequestId(random))
  },
  unnamed: {
    rule: 'makes a new request id if the client sends none that is valid',
    weight: 2,
    least: noIds.length,
    meaning: pageOfItsOwn,
    draw: ({ random, data, past }) =>
      askFor(someUser(random, data), noIds[countDrawn(past('unnamed')) % noIds.length])
  },
  missing: {
    rule: 'answers 404 for a user who does not exist',
    headers: ['x-request-id'],
    least: 7,
    draw: ({ random, data, past }) => {
      const { id } = random.pick(data.users)
      const ids = [`u-${random.word(11)}`, `${id}x`, 'constructor', ...alikeKeys(id).map(encodeURIComponent)]
      return askFor(ids[countDrawn(past('missing')) % ids.length], newRequestId(random))
    }
  },
  elsewhere: {
    rule: 'answers 404 elsewhere',
    weight: 0.3,
    headers: ['x-request-id'],
    draw: ({ random, data }) => ({
      headers: { 'x-request-id': newRequestId(random) },
      ...random.pick([
        { path: `/${random.word(7)}` },
        { path: '/page' },
        { path: `/page/${random.pick(data.users).id}/${random.word(4)}` },
        { method: 'POST', path: `/page/${random.pick(data.users).id}`, json: {} }
      ])
    })
  },
  fails: {
    rule: 'answers 502 with the name of the service that failed',
    touches: ['page'],
    weight: 9,
    draw: ({ random, data, past }) => {
      if (!isSeen(past)) return null
      // Services and faults in turn, so that none is left out.
      const [at, kind] = [...Buffer.from(data.salt)].map((byte) => byte + past('fails').length)
      const [service, late] = [at, at + random.int(1, 5)].map((at) => services[at % services.length])
      const other = random.pick([{ status: 500 }, { status: 503 }, { status: 429 }, { reset: true }, { reset: true }])
      const fault = kind % 2 === 0 ? { status: 404 } : other
      const delayMs = random.pick([0, lateMs])
      const how = 'reset' in fault ? 'cuts the connection' : `answers ${fault.status}`
      return {
        act: ({ upstream }) => upstream?.reset([{ path: `/${service}`, ...fault }, { path: `/${late}`, delayMs }]),
        says: `/${service} ${how}${delayMs === 0 ? '' : `, and /${late} takes ${delayMs} ms longer`}`
      }
    }
  },
  recovers: {
    rule: 'answers as before when the services have recovered',
    touches: ['page', 'unnamed'],
    weight: 5,
    draw: ({ past }) => isSeen(past) && lastOf(past, ['fails']) > lastOf(past, ['recovers'])
      ? { act: ({ upstream }) => upstream?.reset(), says: 'all services have recovered' }
      : null
  }
}

/** @param {string} userId @param {string} [requestId] */
export function askFor (userId, requestId) {
  /** @type {Record<string, string>} */
  const headers = requestId === undefined ? {} : { 'x-request-id': requestId }
  return { path: `/page/${userId}`, headers }
}

/** One that the page and all its calls carry. @param {Random} random */
export function newRequestId (random) {
  const usual = `r-${random.word(16)}`
  return random.pick([usual, usual, usual, random.word(8), random.word(64), `A_${random.word(9)}-${random.int(0, 9)}`])
}

/** Has a page shown the services' new state? @param {DrawGiven['past']} past */
function isSeen (past) {
  return lastOf(past, ['fails', 'recovers']) <= lastOf(past, ['page'])
}

/** @param {DrawGiven['past']} past @param {string[]} names */
function lastOf (past, names) {
  return Math.max(...names.map((name) => past(name).at(-1)?.id ?? 0))
}

/** Often one who was there before. @param {Random} random @param {any} data @returns {string} */
export function someUser (random, data) {
  return random.pick(random.next() < 0.7 ? data.users.slice(0, regulars) : data.users).id
}
