import { ContractError, LateError, send, timeFor } from '../../runner/contract/index.js'
import { sayingJson } from '../form/kinds.js'
import { drawnWith, valueOf } from '../form/requests.js'
import { opaque } from '../shared/conditions.js'
import { anyUser, logIn, refusals } from '../shared/logins.js'
import { urlOf } from '../shared/urls.js'
import { uuid } from '../shared/users.js'
import { loginProblem } from './answers.js'
import { avatarFile, putFile, removeFile } from './files.js'
import { makePicture } from './pictures.js'

/**
 * @import { Answer, Request } from '../../runner/contract/index.js'
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 *
 * @typedef {{ id: string, modified: Date | null }} Change modified: null where the avatar was removed
 */

const dayMs = 86400e3
const tickMs = 15
/** How long clients of a crowd wait before they disconnect. */
const leaveMs = 15
/** Pixels: 77 kB. */
const largeSide = 160
/** In a crowd, these are the first who disconnects and the first who doesn't any more. */
const [leavesFirst, staysAgain] = [3, 12]
const onDisk = { rule: 'sends the avatar that’s on disk, as image/png', weight: 3, tagged: true }
const ifChanged =
  { rule: 'answers 304 to a client whose copy is current, and sends any other the avatar', tagged: true }

/** @type {Record<string, Operation>} */
export const operations = {
  login: {
    rule: 'answers 200 to the right password, with a token and its user',
    weight: 2,
    meaning: (answer, { data }) => {
      const id = answer.json()?.user?.id
      const user = [...data.users, ...data.older].find((user) => user.id === id)
      const problem = loginProblem(answer, user, data.config)
      if (problem !== undefined) throw new Error(problem)
      return user.email
    },
    draw: ({ random, data }) => ({ ...logIn(anyUser(random, data)), headers: sayingJson(random) })
  },
  ...refusals,
  wrong: { ...refusals.wrong, weight: 2 },
  impatient: {
    rule: 'lets in every client that waits, even when others disconnect before their turn',
    weight: 0.4,
    draw: ({ random, data }) => {
      const crowd = Array.from({ length: data.connections }, (_, at) => {
        const isLeaving = at >= leavesFirst && at < staysAgain
        return { ...logIn(random.pick(data.users)), leaveMs: isLeaving ? leaveMs : undefined }
      })
      return {
        look: (server) => endsOf(server, crowd),
        says: 'the answers to the clients that stay in a crowd from which others disconnect'
      }
    }
  },
  avatar: { ...onDisk, draw: ({ random, data }) => ({ path: `/avatar/${random.pick(Object.keys(data.avatars))}` }) },
  changing: { ...onDisk, draw: ({ random, data }) => ({ path: `/avatar/${random.pick(data.changing)}` }) },
  absent: {
    rule: 'answers 404 when there’s no such avatar',
    draw: ({ random, data }) => {
      const { id } = random.pick(data.users)
      return { path: `/avatar/${random.pick([uuid(random), random.word(8), 'users', '__proto__', `${id}.png`])}` }
    }
  },
  unless: {
    ...ifChanged,
    weight: 4,
    draw: ({ random, past }) => {
      const seen = past('avatar')
      if (seen.length === 0) return null
      const [step, way, foreign] = [random.pick(seen), random.pick(currentOrNot), `"${random.word(9)}"`]
      return (answerOf) => ({ path: urlOf(step), headers: given(way(answerOf(step), foreign)) })
    }
  },
  put: {
    rule: onDisk.rule,
    effect: 'sends a changed avatar in the very next response, whatever its date or length',
    touches: ['changed', 'outdated', 'dated'],
    weight: 8,
    draw: ({ random, data, past }) => {
      // In turn, so that no two changes at the same moment are about one file.
      const count = past('put').length
      const id = data.changing[count % data.changing.length]
      // Some don't fit into one chunk of a stream, and some are written over the old file.
      const side = count % 6 === 2 ? largeSide : random.next() < 0.85 ? 32 : random.int(20, 44)
      const [content, isOver] = [makePicture(random, side), count % 3 === 1]
      const modified = nextDate(random, past('put'), id)
      return change({ id, modified }, `${id}.png is replaced by one modified at ${modified.toISOString()}`, (file) => {
        return putFile(file, content, { modified, isOver })
      })
    }
  },
  remove: {
    rule: 'answers 404 when there’s no such avatar',
    effect: 'shows at the very next request that an avatar is gone',
    touches: ['changed'],
    weight: 3,
    draw: ({ past }) => {
      // It has been requested, and nothing else happens to it at the same moment.
      const [before] = past('put').slice(-2, -1)
      if (before === undefined) return null
      const { id } = valueOf(before.asked)
      return change({ id, modified: null }, `${id}.png is removed`, removeFile)
    }
  },
  changed: {
    rule: 'sends Last-Modified and Cache-Control with an avatar',
    weight: 2,
    tagged: true,
    headers: [{ name: 'last-modified', read: dateOfChange }],
    draw: ({ random, past, about }) => {
      const written = about ?? pick(random, past('put'))
      return written && { path: pathOf(written) }
    }
  },
  outdated: {
    ...ifChanged,
    draw: ({ random, past, about }) => {
      const path = about && pathOf(about)
      const seen = [...past('changing'), ...past('changed')].filter((step) => urlOf(step) === path)
      const before = pick(random, seen)
      // A browser sends both; if they disagree, the ETag is right (RFC 9110, 13.2.2).
      const date = random.pick([undefined, lastModified, lastModified, () => new Date().toUTCString()])
      return before && ((answerOf) => {
        const copy = answerOf(before)
        const { etag } = copy.headers
        if (etag === undefined) return null
        return { path: urlOf(before), headers: given({ 'if-none-match': etag, 'if-modified-since': date?.(copy) }) }
      })
    }
  },
  dated: {
    ...ifChanged,
    draw: ({ random, about }) => {
      const { id, modified = null } = about ? valueOf(about.asked) : {}
      if (modified === null) return null
      const dates = [0, random.int(1, 300) * dayMs].map((ms) => new Date(modified.getTime() - ms).toUTCString())
      return { path: `/avatar/${id}`, headers: { 'if-modified-since': random.pick([...dates, 'yesterday']) } }
    }
  }
}

/**
 * All send their requests at once, and some close their connections before they have a response.
 *
 * @param {{ origin: string, patience?: number }} server
 * @param {Request[]} crowd
 * @returns {Promise<(number | string)[]>} what became of the others: the status, or why there's none
 */
async function endsOf (server, crowd) {
  const ends = await Promise.all(crowd.map((request) =>
    send(server.origin, request, timeFor(server)).then(({ status }) => status, (error) => {
      if (error instanceof LateError || !(error instanceof ContractError)) throw error
      return 'no answer'
    })))
  return ends.filter((_, at) => crowd[at].leaveMs === undefined)
}

/** What a client with a copy may say. @type {((copy: Answer, foreign: string) => Record<string, string>)[]} */
const currentOrNot = [
  ({ headers: { etag } }) => ({ 'if-none-match': etag }),
  ({ headers: { etag } }) => ({ 'If-None-Match': opaque(etag) }),
  ({ headers: { etag } }) => ({ 'if-none-match': `W/${opaque(etag)}` }),
  ({ headers: { etag } }, foreign) => ({ 'if-none-match': `${foreign}, ${etag}` }),
  ({ headers: { etag } }, foreign) => ({ 'if-none-match': `${etag},W/${foreign}` }),
  () => ({ 'if-none-match': '*' }),
  ({ headers }) => ({ 'if-modified-since': headers['last-modified'] }),
  (_, foreign) => ({ 'if-none-match': foreign }),
  ({ headers }, foreign) => ({ 'if-none-match': foreign, 'if-modified-since': headers['last-modified'] }),
  ({ headers }) => ({ 'if-modified-since': new Date(Date.parse(headers['last-modified']) - dayMs).toUTCString() })
]

/**
 * Mostly within the second of the one that it replaces, or days away from it. No two files have the same.
 *
 * @param {Random} random @param {Step[]} puts @param {string} id
 */
function nextDate (random, puts, id) {
  const last = puts.map(({ asked }) => valueOf(asked)).findLast((change) => change.id === id)?.modified
  const day = last && random.next() < 0.75
    ? Math.floor(last.getTime() / dayMs)
    : Math.floor(Date.now() / dayMs) - random.int(2, 300)
  return new Date(day * dayMs + (puts.length + 1) * tickMs)
}

/** @param {Change} what @param {string} says @param {(file: string) => Promise<void>} act */
function change (what, says, act) {
  const actIn = (/** @type {{ dataDir: string }} */ { dataDir }) => act(avatarFile(dataDir, what.id))
  return drawnWith(what, { says, act: actIn })
}

/** Without what the copy does not have. @param {Record<string, any>} headers @returns {Record<string, string>} */
function given (headers) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}

/** Files that haven't been changed are of today, and no change is. @param {string | undefined} date */
function dateOfChange (date) {
  return Date.now() - Date.parse(date ?? '') < dayMs ? 'today' : date
}

/** @param {Answer} answer */
function lastModified ({ headers }) {
  return headers['last-modified']
}

/** @param {Step} step that changes a file */
function pathOf ({ asked }) {
  return `/avatar/${valueOf(asked).id}`
}

/** @template T @param {Random} random @param {T[]} list @returns {T | null} */
function pick (random, list) {
  return list.length > 0 ? random.pick(list) : null
}
