import { setTimeout as sleep } from 'node:timers/promises'
import jwt from 'jsonwebtoken'
import { expectLinesAtTheEnd, expectLinesWhileAsked, expectLoadLogged, expectNoSecrets } from '../shared/log-file.js'
import { costProblem } from '../shared/hashing.js'
import { makeText, searchPath } from './operations.js'
import { bearing, sign, tokenOf } from './shop.js'

/** @import { Check } from '../../runner/lesson/index.js' */

const visitors = 6

/** @type {Check[]} */
export const contract = [
  {
    name: 'hashes the password at every login',
    async run ({ post, data, random, fail }) {
      const user = random.pick(data.users)
      const enter = ({ email, password } = user) => post('/login', { json: { email, password } })
      const problem = await costProblem({
        right: async () => (await enter()).expectStatus(200).elapsedMs,
        wrong: async (password) => (await enter({ ...user, password })).expectStatus(401).elapsedMs,
        anybody: async (index) => (await enter(data.users[index % data.users.length])).expectStatus(200)
      }, { hashMs: data.hashMs, random, password: user.password })
      if (problem !== undefined) fail(`POST /login: ${problem}`)
    }
  },
  {
    name: 'refuses a token whose time is over',
    when: ['before'],
    async run ({ post, data, random }) {
      const { id, name } = random.pick(data.users)
      // In whole seconds, and at least half a second from now.
      const exp = Math.floor(Date.now() / 1000 + 0.5) + 1
      const headers = bearing(jwt.sign({ name, exp }, data.secret, { subject: id }))
      const path = `/films/${random.pick(data.films).id}/reviews`
      const review = () => post(path, { json: { stars: 3, text: 'x' }, headers })
      await review()
      await sleep(exp * 1000 - Date.now() + 20)
      ;(await review()).expectStatus(401)
    }
  },
  {
    name: 'asks both services for every page, also for those of one film at the same moment',
    when: ['before'],
    async run ({ get, data, random, upstream, fail }) {
      const { id } = random.pick(data.films)
      await upstream.reset()
      const pages = await Promise.all(Array.from({ length: visitors }, () => get(`/films/${id}`)))
      for (const page of pages) page.expectStatus(200)
      const calls = await upstream.count()
      if (calls !== 2 * visitors) {
        fail(`GET /films/${id}, ${visitors} times at once: expected ${2 * visitors} calls, got ${calls}`)
      }
    }
  },
  {
    name: 'stays up when both services fail',
    when: ['before'],
    async run ({ get, data, random, upstream }) {
      const { id } = random.pick(data.films)
      await upstream.reset([{ path: '/prices', status: 500 }, { path: '/stock', status: 500, delayMs: 30 }])
      ;(await get(`/films/${id}`)).expectStatus(502)
      await upstream.reset()
      await sleep(60)
      ;(await get(`/films/${id}`)).expectStatus(200)
    }
  },
  {
    name: 'keeps secrets out of the log',
    run: (given) => {
      const { data, random } = given
      const [user, other] = random.shuffle(data.users)
      const [token, foreign, typed] = [tokenOf(user, data), sign(user, random.word(40)), random.word(12)]
      const film = `/films/${random.pick(data.films).id}`
      const [method, json, type] = ['POST', { stars: 3, text: 'x' }, { 'content-type': 'application/json' }]
      // Also where the answer is a refusal or an error: then a log is most talkative.
      return expectNoSecrets(given, [
        { method, path: '/login', json: { email: user.email, password: user.password } },
        { method, path: '/login', json: { email: other.email, password: typed } },
        { method, path: '/login', body: `{"password":"${typed}"`, headers: type },
        { method, path: `${film}/reviews`, json, headers: bearing(token) },
        { method, path: `${film}/reviews`, json, headers: bearing(foreign) },
        { path: film, headers: bearing(token) },
        { path: `/${random.word(7)}`, headers: bearing(token) }
      ], ([login]) => ({
        'a token that was sent': token,
        'a token that was refused': foreign,
        'a token that was given': login.json().token,
        'a password': user.password,
        'a wrong password': typed
      }))
    }
  },
  {
    name: 'writes its lines also while it is never left alone',
    when: ['before'],
    run: (given) => {
      const { random, data } = given
      return expectLinesWhileAsked(given, () => searchPath(random, makeText(random, data), random.int(1, 20)))
    }
  },
  {
    name: 'loses no line when it is stopped',
    when: ['before'],
    async run (given) {
      const half = { method: 'POST', path: '/login' }
      await Promise.all([half, null].map((half) => expectLinesAtTheEnd(given, { path: '/healthz', half })))
    }
  },
  {
    name: 'has a line for every request of the load',
    when: ['after'],
    run: (given) => expectLoadLogged(given, { path: '/healthz' })
  }
]
