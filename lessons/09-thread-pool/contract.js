import fs from 'node:fs'
import http from 'node:http'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import jwt from 'jsonwebtoken'
import { byMoment } from '../form/index.js'
import { onKeptConnections } from '../shared/batches.js'
import { opaque } from '../shared/conditions.js'
import { expectHashes } from '../shared/hashing.js'
import { logIn, secondMs } from '../shared/logins.js'
import { avatarProblem, loginProblem } from './answers.js'
import { avatarFile, putFile } from './files.js'
import { makePicture } from './pictures.js'

/**
 * What every correct server must do. A login costs a hash, tens of milliseconds, so checks are sparing with logins.
 *
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { User } from '../shared/logins.js'
 */

const pauseUnderLoadMs = 100
/** Users whose hashes cost less, and how many of them are the first, or the last. */
const [largeCrowd, part] = [120, 30]
/** They log in again and again: more than hash at the same moment, in most servers. */
const visitors = 8 + 2 * availableParallelism()
let writesUnderLoad = 0
/** Clients of the load keep their connections as well. */
const connected = new http.Agent({ keepAlive: true, maxSockets: 1 })

export const contract = byMoment({
  always: {
    'sends no file from outside the folder of avatars': async ({ get, random, dataDir, fail }) => {
      const [name, secret] = [random.word(12), makePicture(random)]
      const folders = [path.dirname(dataDir), `${dataDir}-${random.word(6)}`, `${dataDir}${random.word(6)}`]
      // Next to DATA_DIR, with names that begin like its own.
      const files = [...folders.map((folder) => path.join(folder, `${name}.png`)), `${dataDir}.png`]
      try {
        for (const file of files) {
          fs.mkdirSync(path.dirname(file), { recursive: true })
          fs.writeFileSync(file, secret)
        }
        for (const request of files.flatMap((file) => waysOut(file, dataDir))) {
          const answer = await get(request)
          if (answer.body.equals(secret)) fail(`GET ${request}: it sent a file from outside DATA_DIR`)
          if (![400, 403, 404].includes(answer.status)) {
            fail(`GET ${request}: expected 400, 403 or 404, got ${answer.status}`)
          }
        }
      } finally {
        for (const file of files) fs.rmSync(file, { force: true })
        for (const folder of folders.slice(1)) fs.rmdirSync(folder)
      }
    },
    'hashes the password at every login': (given) => expectHashes(given, {
      enter: (user) => enter(given, user),
      hidesUsers: true,
      visit: ({ id }, agent) => given.get(`/avatar/${id}`, { agent })
    })
  },
  before: {
    'sends a changed avatar in the very next response, even one of the same length and date': async (given) => {
      const { get, random, data, dataDir, fail } = given
      const [id, modified] = [random.pick(data.changing), new Date(Date.now() - random.int(1, 300) * 86400e3)]
      for (let at = 0; at < 3; at++) {
        const picture = makePicture(random)
        await putFile(avatarFile(dataDir, id), picture, { modified })
        const problem = avatarProblem(await get(`/avatar/${id}`), picture)
        if (problem) fail(`GET /avatar/${id}, replaced by a file of the same length and date: ${problem}`)
      }
    },
    'lets everyone in who comes at once, each with its own token': async ({ send, data, random, fail, late }) => {
      const many = Array.from({ length: largeCrowd }, () => random.pick(data.older))
      /** @type {number[]} */
      const order = []
      await Promise.all([...many, ...data.users].map(async (user, at) => {
        await enter({ send, data, fail }, user)
        order.push(at)
      }))
      const placeOf = (/** @type {number} */ from) => many.slice(0, part)
        .reduce((sum, _, at) => sum + order.indexOf(from + at) / part, 0)
      // Where all hashes run at once, none is ahead; what comes last is never far ahead of what came first.
      if (placeOf(0) > placeOf(largeCrowd - part) + part) {
        late(`POST /login, ${order.length} at once: those that came last were let in before those that came first`)
      }
    },
    'lets in one whose hash takes long, however many keep coming': (given) => onKeptConnections(async (agent) => {
      const { data, random, late } = given
      const kept = { ...given, send: (/** @type {any} */ request) => given.send({ ...request, agent }) }
      // Where all hashes run at once, as many of the others overtake it as its hash takes longer than theirs.
      const [costly, cheap] = [random.pick(data.users), random.pick(data.older)]
      let [rest, left] = [Math.ceil(4 * visitors * costly.hashMs / cheap.hashMs), 0]
      const crowd = Array.from({ length: visitors }, async () => {
        while (rest-- > 0) await enter(kept, cheap)
      })
      // Comes when the others keep all threads busy.
      const costlyIsIn = enter(kept, cheap).then(() => enter(kept, costly)).then(() => { [left, rest] = [rest, 0] })
      await Promise.all([...crowd, costlyIsIn])
      if (left <= 0) late('POST /login: others, with fewer iterations, were let in again and again before it was')
    })
  },
  apart: {
    'signs a new token at every login, which expires after expiresIn seconds': async (given) => {
      const { data, random, fail, send } = { ...given, ...await given.another() }
      const user = random.pick(data.older)
      const first = await enter({ send, data, fail }, user)
      await sleep(secondMs)
      const later = await enter({ send, data, fail }, user)
      if (expiryOf(later) <= expiryOf(first)) {
        later.fail('this token expires no later than one from a login a second earlier')
      }
    }
  },
  during: {
    'sends a changed avatar in the very next response, even while people log in': async (given) => {
      const { get, random, data, dataDir, isBaseline, fail } = given
      await sleep(pauseUnderLoadMs)
      // It reads the disk for every request, which on a slow machine takes longer than a check waits.
      if (isBaseline) return
      const id = random.pick(data.changing)
      const [path, agent] = [`/avatar/${id}`, ++writesUnderLoad % 3 === 0 ? undefined : connected]
      // It runs again and again with the same random numbers, and the file should differ each time.
      const picture = makePicture(random.fork(String(writesUnderLoad)))
      const old = (await get(path, { agent })).headers.etag
      await putFile(avatarFile(dataDir, id), picture)
      const answer = await get(path, { agent, headers: { 'if-none-match': old ?? '""' } })
      const problem = avatarProblem(answer, picture)
      if (problem) fail(`GET ${path}, after the file changed: ${problem}`)
      if (opaque(answer.headers.etag) === opaque(old)) {
        fail(`GET ${path}: the ETag ${old} was sent for two different files`)
      }
    }
  }
})

/** @param {Pick<Given, 'send' | 'data' | 'fail'>} given @param {User} user */
async function enter ({ send, data, fail }, user) {
  const answer = (await send(logIn(user))).expectStatus(200)
  const problem = loginProblem(answer, user, data.config)
  if (problem) fail(`POST /login: ${problem}`)
  return answer
}

/** In seconds since 1970. @param {Answer} answer to a login */
function expiryOf (answer) {
  return /** @type {any} */ (jwt.decode(answer.json().token)).exp
}

/**
 * Paths that lead to a file next to DATA_DIR, or that no file can have.
 *
 * @param {string} file
 * @param {string} dataDir
 */
function waysOut (file, dataDir) {
  const outside = file.replace(/\.png$/, '')
  const parts = path.relative(dataDir, outside).split(path.sep).slice(1)
  const [name, folder] = [parts.join('%2f'), path.basename(dataDir)]
  return [
    `../${parts.join('/')}`, `%2e%2e/${parts.join('/')}`, `..%5c${parts.join('%5c')}`,
    `..%2f${name}`, `%2e%2e%2F${name}`, `%2e%2f..%2f${name}`, `....%2f%2f${name}`, `..%252f${name}`,
    `..%2f${folder}%2f..%2f${name}`, `x%2f..%2f..%2f${name}`, `..%2f${name}.png%00`,
    encodeURIComponent(outside), encodeURIComponent(`${outside}.png`),
    '%E0%A4%A'
  ].map((id) => `/avatar/${id}`)
}
