import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { haste } from '../shared/hashing.js'
import { almost, avatarProblem, loginProblem, opaque, quotedPattern } from './answers.js'
import { avatarFile, putFile, removeFile } from './files.js'
import { makeId, makePicture } from './pictures.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { User } from './data.js'
 */

/**
 * What every correct server must do. A login costs a hash, tens of milliseconds: checks are sparing with logins.
 *
 */

const hastyRepeats = 3
const dayMs = 86400e3
const besideLoadPauseMs = 100
let writesBesideLoad = 0

/** @type {Check[]} */
export const contract = [
  {
    name: 'sends the avatar that lies on disk, as image/png',
    async run ({ get, random, data, fail }) {
      for (const id of random.shuffle(Object.keys(data.avatars)).slice(0, 4)) {
        const problem = avatarProblem(await get(`/avatar/${id}`), Buffer.from(data.avatars[id], 'base64'))
        if (problem) fail(`GET /avatar/${id}: ${problem}`)
      }
    }
  },
  {
    name: 'answers 404 to somebody without an avatar',
    async run ({ get, random }) {
      for (const id of [makeId(random), random.word(8), 'users', '__proto__']) {
        (await get(`/avatar/${id}`)).expectStatus(404).expectType('application/json').expectJson({ error: 'not_found' })
      }
    }
  },
  {
    name: 'sends ETag, Last-Modified and Cache-Control with an avatar',
    async run ({ get, random, data, dataDir, fail }) {
      const id = random.pick(Object.keys(data.avatars))
      const answer = await get(`/avatar/${id}`)
      answer
        .expectStatus(200)
        .expectHeader('etag', quotedPattern)
        .expectHeader('cache-control', /^public, ?max-age=0$/i)
        .expectHeader('last-modified')
      const modified = fs.statSync(avatarFile(dataDir, id)).mtime.toUTCString()
      if (answer.headers['last-modified'] !== modified) {
        fail(
          `GET /avatar/${id}: expected Last-Modified: ${modified}, as the file says, got ` +
            `${answer.headers['last-modified']}`
        )
      }
    }
  },
  {
    name: 'answers 304 to a client whose copy is current, and the avatar to any other',
    async run ({ get, random, data, fail }) {
      const id = random.pick(Object.keys(data.avatars))
      const { etag, 'last-modified': modified } = (await get(`/avatar/${id}`)).expectStatus(200).headers
      const other = `"${random.word(12)}"`
      /** @type {Record<string, string>[]} */
      const current = [
        { 'if-none-match': etag },
        { 'if-none-match': `${other}, ${opaque(etag)}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': modified }
      ]
      for (const headers of current) {
        const answer = await get(`/avatar/${id}`, { headers })
        answer.expectStatus(304)
        if (answer.body.length > 0) {
          fail(`GET /avatar/${id}: expected no body with a 304, got ${answer.body.length} bytes`)
        }
        if (opaque(answer.headers.etag) !== opaque(etag)) {
          fail(`GET /avatar/${id}: expected the ETag ${etag} with a 304, got ${answer.headers.etag ?? 'none'}`)
        }
      }
      const dayBefore = new Date(Date.parse(modified) - dayMs).toUTCString()
      /** @type {Record<string, string>[]} */
      const old = [
        { 'if-none-match': other },
        { 'if-modified-since': dayBefore },
        { 'if-none-match': other, 'if-modified-since': modified }
      ]
      for (const headers of old) {
        (await get(`/avatar/${id}`, { headers })).expectStatus(200)
      }
    }
  },
  {
    name: 'sends a changed avatar in the very next answer',
    async run (given) {
      const { random, data } = given
      const id = random.pick(data.changing)
      await expectAfterWrite(given, id, makePicture(random, random.int(20, 30)))
      await expectAfterWrite(given, id, makePicture(random, random.int(34, 44)))
    }
  },
  {
    name: 'sends a changed avatar in the very next answer, also while people log in',
    when: ['during'],
    async run (given) {
      const { random, data, isBaseline } = given
      await sleep(besideLoadPauseMs)
      // It reads the disk for every request, and on a slow machine that takes it longer than a check waits.
      if (isBaseline) return
      // It runs again and again with the same random numbers, and a file should be another one each time.
      await expectAfterWrite(given, random.pick(data.changing), makePicture(random.fork(String(++writesBesideLoad))))
    }
  },
  {
    name: 'sees that an avatar of the same length is another one',
    async run (given) {
      const { random, data } = given
      const id = random.pick(data.changing)
      for (let i = 0; i < 3; i++) await expectAfterWrite(given, id, makePicture(random))
    }
  },
  {
    name: 'sends an avatar that was restored with an older date',
    async run (given) {
      const { random, data } = given
      const id = random.pick(data.changing)
      await expectAfterWrite(given, id, makePicture(random))
      await expectAfterWrite(given, id, makePicture(random), {
        modified: new Date(Date.now() - random.int(2, 300) * dayMs)
      })
    }
  },
  {
    name: 'notices at once that an avatar has come or gone',
    async run (given) {
      const { get, random, data, dataDir } = given
      const id = random.pick(data.without)
      const file = avatarFile(dataDir, id)
      try {
        for (let i = 0; i < 2; i++) {
          (await get(`/avatar/${id}`)).expectStatus(404)
          await expectAfterWrite(given, id, makePicture(random))
          await removeFile(file)
          ;(await get(`/avatar/${id}`)).expectStatus(404).expectJson({ error: 'not_found' })
        }
      } finally {
        await removeFile(file)
      }
    }
  },
  {
    name: 'sends no file from outside the folder of the avatars',
    async run ({ get, random, dataDir, fail }) {
      const name = random.word(12)
      const secret = makePicture(random)
      const outside = path.join(dataDir, '..', `${name}.png`)
      fs.writeFileSync(outside, secret)
      try {
        for (const request of waysOut(name, dataDir)) {
          const answer = await get(request)
          if (answer.body.equals(secret)) fail(`GET ${request}: this is a file from outside DATA_DIR`)
          if (![400, 403, 404].includes(answer.status)) {
            fail(`GET ${request}: expected 400, 403 or 404, got ${answer.status}`)
          }
        }
      } finally {
        fs.rmSync(outside, { force: true })
      }
    }
  },
  {
    name: 'answers 400 to a parameter that is missing, empty or no text',
    async run ({ post, data }) {
      const { email, password } = data.users[0]
      const cases = [
        [{ email }, 'password'],
        [{ password }, 'email'],
        [{ email, password: '' }, 'password'],
        [{ email, password: 12345678 }, 'password'],
        [{ email: { $ne: null }, password }, 'email']
      ]
      for (const [json, missing] of cases) {
        (await post('/login', { json }))
          .expectStatus(400)
          .expectJson({ error: 'missing_required_parameters', context: { body: [missing] } })
      }
    }
  },
  {
    name: 'answers 401 to an unknown e-mail',
    async run ({ post, data, random }) {
      const { password } = data.users[0]
      for (const email of [`${random.word(8)}@nobody.example`, '__proto__']) {
        (await post('/login', { json: { email, password } }))
          .expectStatus(401)
          .expectShape({ error: /^bad_credentials$/, message: 'string' })
      }
    }
  },
  {
    name: 'answers 401 to a wrong password, also after a right one',
    async run ({ post, data, random, fail }) {
      const user = random.pick(data.users)
      const wrong = { email: user.email, password: almost(user.password, random) }
      await logIn({ post, data, fail }, user)
      ;(await post('/login', { json: wrong }))
        .expectStatus(401)
        .expectShape({ error: /^bad_credentials$/, message: 'string' })
    }
  },
  {
    name: 'compares the whole hash',
    async run ({ post, data }) {
      const { email, password } = data.damaged
      ;(await post('/login', { json: { email, password } })).expectStatus(401)
    }
  },
  {
    name: 'hashes the password at every login',
    async run ({ post, data, random, fail }) {
      const user = random.pick(data.users)
      for (let i = 0; i < hastyRepeats; i++) {
        const problem = haste((await logIn({ post, data, fail }, user)).elapsedMs, data.hashMs)
        if (problem) fail(`POST /login: ${problem}`)
      }
    }
  },
  {
    name: 'lets everybody in who comes at the same time, each with a token of their own',
    when: ['before'],
    async run ({ post, data, fail }) {
      const crowd = Array.from({ length: data.connections }, (_, index) => data.users[index % data.users.length])
      await Promise.all(crowd.map((user) => logIn({ post, data, fail }, user)))
    }
  }
]

/**
 * @param {Given} given
 * @param {string} id
 * @param {Buffer} picture
 * @param {{ modified?: Date }} [options]
 */
async function expectAfterWrite ({ get, dataDir, fail }, id, picture, options) {
  const old = (await get(`/avatar/${id}`)).headers.etag
  await putFile(avatarFile(dataDir, id), picture, options)
  // A server that was told of the change by a client with an old copy has to believe the file, too.
  const conditional = old
    ? await get(`/avatar/${id}`, { headers: { 'if-none-match': old } })
    : await get(`/avatar/${id}`)
  if (conditional.status === 304) {
    fail(`GET /avatar/${id}: answered 304 to the ETag ${old} of a file that has been replaced since`)
  }
  for (const answer of [conditional, await get(`/avatar/${id}`)]) {
    const problem = avatarProblem(answer, picture)
    if (problem) fail(`GET /avatar/${id}, after the file was changed: ${problem}`)
    if (old && opaque(answer.headers.etag) === opaque(old)) {
      fail(`GET /avatar/${id}: the ETag ${old} stands for two different files`)
    }
  }
}

/** @param {Pick<Given, 'post' | 'data' | 'fail'>} given @param {User} user */
async function logIn ({ post, data, fail }, user) {
  const answer = await post('/login', { json: { email: user.email, password: user.password } })
  const problem = loginProblem(answer.expectStatus(200).expectType('application/json').json(), {
    user,
    config: data.config
  })
  if (problem) fail(`POST /login: ${problem}`)
  return answer
}

/**
 * Paths that lead to a file beside DATA_DIR, or that no file can have.
 *
 * @param {string} name of the file, without .png
 * @param {string} dataDir
 */
function waysOut (name, dataDir) {
  const folder = path.basename(dataDir)
  const outside = path.resolve(dataDir, '..', name)
  return [
    `../${name}`,
    `%2e%2e/${name}`,
    `..%2f${name}`,
    `%2e%2e%2F${name}`,
    `..%5c${name}`,
    `%2e%2f..%2f${name}`,
    `..%2f${folder}%2f..%2f${name}`,
    `x%2f..%2f..%2f${name}`,
    `....%2f%2f${name}`,
    `..%252f${name}`,
    `..%2f${name}.png%00`,
    encodeURIComponent(outside),
    encodeURIComponent(`${outside}.png`),
    '%E0%A4%A'
  ].map((id) => `/avatar/${id}`)
}
