import path from 'node:path'
import { openRoom } from '../../classroom/room/index.js'
import { readLessonsHere } from '../../classroom/room/read-lessons.js'
import { makeRepository, wholeLesson } from '../lesson/fixture.js'
import { passed } from '../report/records.js'
import { send } from '../web/open.js'

/**
 * @typedef {object} Opened
 * @property {string} url
 * @property {string} code
 * @property {string[]} learners
 * @property {string} secret
 * @property {string} dir
 * @property {NodeJS.ProcessEnv} env
 * @property {(method: string, place: string, body?: unknown, token?: string) => Promise<any>} ask status, and the JSON
 * @property {(name?: string, more?: object) => Promise<any>} join resolves to what the server has answered
 * @property {import('../../classroom/room/index.js').OpenRoom['work']} work
 * @property {() => Promise<void>} close
 */

/**
 * A room with three lessons, open for one test.
 *
 * @param {import('node:test').TestContext} t
 * @param {Partial<Parameters<typeof openRoom>[0]>} [given]
 * @returns {Promise<Opened>}
 */
export async function openTestRoom (t, given = {}) {
  const root = given.dir === undefined ? await makeRepository(t) : ''
  const dir = given.dir ?? path.join(root, 'class')
  const env = given.env ?? { ...process.env, MAKE_IT_FAST_LESSONS: root }
  const { learners, code, instructor, work, close } = await openRoom({ dir, env, read: readLessonsHere, ...given })
  t.after(close)
  const url = new URL('/', instructor).href
  const ask = (/** @type {string} */ method, /** @type {string} */ place, /** @type {unknown} */ body, token = '') =>
    askRoom(url, method, place, body, token)
  return {
    url,
    code,
    learners,
    secret: instructor.split('#')[1],
    dir,
    env,
    ask,
    work,
    join: async (name = 'Ada', more = {}) => (await ask('POST', '/api/seats', { code, name, ...more })).json,
    close
  }
}

/**
 * @param {string} url
 * @param {string} method
 * @param {string} place
 * @param {unknown} [body]
 * @param {string} [token]
 */
export async function askRoom (url, method, place, body, token = '') {
  /** @type {Record<string, string>} */
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` }
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  // Node.js says it by itself for some methods only.
  if (sent !== undefined) headers['Content-Length'] = String(Buffer.byteLength(sent))
  const { status, headers: answered, text } = await send(url, method, place, { body: sent, headers })
  const isJson = String(answered['content-type']).startsWith('application/json')
  return { status, headers: answered, text, json: isJson ? JSON.parse(text) : undefined }
}

let reports = 0
const lesson = { id: 'in-memory-json', number: 3, title: 'Title of in-memory-json' }

/**
 * A report of a check, as a learner's machine sends it.
 *
 * @param {object} [differences]
 * @param {string} [id]
 */
export function report (differences = {}, id = `report-${++reports}`) {
  const record = { ...passed(), lesson, ...differences }
  return { id, sentAt: new Date(Date.parse(record.startedAt) + 10_000).toISOString(), record }
}

/** A lesson of which a room has a board. */
export const withTiers = `${wholeLesson}
const lesson = wholeLesson('in-memory-json')
delete lesson.gates[0].target
lesson.gates[0].tiers = { bronze: 2, silver: 4 }
export default lesson
`
