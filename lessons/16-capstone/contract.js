import { setTimeout as sleep } from 'node:timers/promises'
import jwt from 'jsonwebtoken'
import { countIds, parseLines, readLog, watchLog } from '../shared/log-file.js'
import { haste } from '../shared/hashing.js'
import { found, genresOf, readStamp } from './shop.js'
import { catalogueProblem, loadTag, sign, tokenProblem } from './streams.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

// Between a server's clock and ours: only wrong units and made-up figures are further apart.
const slackMs = 2000

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers as the slow server does',
    when: ['before'],
    async run ({ same, random, data }) {
      const film = random.pick(data.films)
      const token = sign(random.pick(data.users), data.secret)
      const { Title } = random.pick(data.films)
      for (const path of [
        '/healthz',
        '/films',
        '/films/0',
        '/films/x',
        `/films/0${film.id}`,
        `/films/${film.id}.0`,
        `/films/${film.id}/reviews`,
        '/films/9999/reviews',
        '/report',
        '/search',
        '/search?text=',
        '/search?text=a&text=b',
        '/search?text=a&limit=0',
        '/search?text=a&limit=1.5',
        '/search?text=a&limit=x',
        `/search?text=${encodeURIComponent(Title)}`,
        '/search?text=zz-nobody',
        `/${random.word(6)}`
      ]) { await same({ path }) }
      const reviews = `/films/${film.id}/reviews`
      const authorization = `Bearer ${token}`
      for (const json of [
        { stars: 6, text: 'x' },
        { stars: 2.5, text: 'x' },
        { stars: '3', text: 'x' },
        { stars: 3 },
        { stars: 3, text: 7 }
      ]) {
        await same({ method: 'POST', path: reviews, headers: { authorization }, json })
      }
      await same({
        method: 'POST',
        path: '/films/9999/reviews',
        headers: { authorization },
        json: { stars: 3, text: 'x' }
      })
      await same({
        method: 'POST',
        path: reviews,
        headers: { authorization, 'content-type': 'application/json' },
        body: '{'
      })
      await same({ method: 'POST', path: '/login', json: { email: 'nobody' } })
      await same({ method: 'POST', path: '/login', json: { email: 'nobody@nowhere.example', password: 'x' } })
    }
  },
  {
    name: 'sends the whole catalogue, gzipped to those who accept it',
    async run ({ get, data, fail }) {
      const plain = (await get('/films'))
        .expectStatus(200)
        .expectType('application/json')
        .expectNoHeader('content-encoding')
        .expectHeader('vary', /accept-encoding/i)
      plain.expectJson(data.films)
      const gzipped = (await get('/films', { headers: { 'accept-encoding': 'gzip, deflate' } }))
        .expectStatus(200)
        .expectType('application/json')
      const problem = catalogueProblem(data, gzipped)
      if (problem) fail(`GET /films with Accept-Encoding: gzip: ${problem}`)
    }
  },
  {
    name: 'searches for the text as it is, in any case, in the order of the catalogue',
    async run ({ get, data, random }) {
      const { Title, Actors } = random.pick(data.films)
      const texts = [
        Title,
        Title.toUpperCase(),
        Actors.slice(3, 9),
        ...random.shuffle(['(', '.*', '[', '\\', '^', '“', 'é', 'the ', ' & ']).slice(0, 4),
        random.word(2)
      ]
      for (const text of texts) {
        const limit = random.int(1, 30)
        ;(await get(`/search?limit=${limit}&text=${encodeURIComponent(text)}`))
          .expectStatus(200)
          .expectJson(found(data, text, limit))
      }
      ;(await get('/search?text=a')).expectStatus(200).expectJson(found(data, 'a', 20))
    }
  },
  {
    name: 'lets in whoever knows the password, and nobody else',
    async run ({ post, data, random, fail }) {
      const [user, other] = random.shuffle(data.users)
      const refuse = async (/** @type {unknown} */ json) => {
        (await post('/login', { json })).expectStatus(401).expectJson({ error: 'bad_credentials' })
      }
      await refuse({ email: user.email, password: other.password })
      const { token } = (await post('/login', { json: user })).expectStatus(200).expectShape({ token: 'string' }).json()
      const problem = tokenProblem(data, user, token)
      if (problem) fail(`POST /login: ${problem}`)
      await refuse({ email: user.email, password: `${user.password} ` })
      await refuse({ email: user.email, password: user.password.toUpperCase() })
    }
  },
  {
    name: 'compares all bytes of a hash',
    async run ({ post, data }) {
      // The right password of a user whose stored hash differs in its last half byte.
      (await post('/login', { json: data.damaged })).expectStatus(401).expectJson({ error: 'bad_credentials' })
    }
  },
  {
    name: 'hashes the password at every login',
    async run ({ post, data, random, fail }) {
      const user = random.pick(data.users)
      // On a busy machine an answer without a hash may take as long as one with it, but not time after time.
      for (let i = 0; i < 10; i++) {
        const problem = haste((await post('/login', { json: user })).expectStatus(200).elapsedMs, data.hashMs)
        if (problem) fail(`POST /login: ${problem}`)
      }
    }
  },
  {
    name: 'takes reviews of people who are logged in only',
    async run ({ post, data, random }) {
      const user = random.pick(data.users)
      const path = `/films/${random.pick(data.films).id}/reviews`
      const json = { stars: random.int(1, 5), text: random.word(9) }
      const whole = sign(user, data.secret)
      const [head, , signature] = whole.split('.')
      const [, claims] = sign(data.users[0] === user ? data.users[1] : data.users[0], data.secret).split('.')
      for (const token of [
        sign(user, random.word(40)),
        jwt.sign({ name: user.name }, '', { algorithm: 'none' }),
        sign(user, data.secret, { expiresIn: -5 }),
        `${head}.${claims}.${signature}`,
        ''
      ]) {
        (await post(path, { json, headers: { authorization: `Bearer ${token}` } }))
          .expectStatus(401)
          .expectJson({ error: 'unauthorised' })
      }
      ;(await post(path, { json })).expectStatus(401)
      ;(await post(path, { json, headers: { authorization: `Bearer ${whole}` } }))
        .expectStatus(201)
        .expectShape({
          id: 'number',
          film: 'number',
          user: new RegExp(`^${user.name}$`),
          stars: 'number',
          text: 'string'
        })
      // What it says is known by now, and still it needs its signature.
      const [, , foreign] = sign(user, random.word(40)).split('.')
      const [first, last] = [whole.slice(0, whole.lastIndexOf('.')), whole.slice(0, -6)]
      for (const token of [`${first}.${foreign}`, `${first}.`, `${last}${random.word(6)}`]) {
        (await post(path, { json, headers: { authorization: `Bearer ${token}` } }))
          .expectStatus(401)
          .expectJson({ error: 'unauthorised' })
      }
    }
  },
  {
    name: 'shows a review to the very next read, and counts it in the report',
    async run ({ get, post, data, random, fail }) {
      const user = random.pick(data.users)
      const film = random.pick(data.films)
      const review = { film: film.id, user: user.name, stars: random.int(1, 5), text: random.word(12) }
      const ofGenre = async () => {
        const report = (await get('/report')).expectStatus(200).json()
        return genresOf(data, film.id).map((genre) => report.find((/** @type {any} */ row) => row.genre === genre))
      }
      await get(`/films/${film.id}/reviews`)
      const before = await ofGenre()
      const answer = await post(`/films/${film.id}/reviews`, {
        json: { stars: review.stars, text: review.text },
        headers: { authorization: `Bearer ${sign(user, data.secret)}` }
      })
      const { id } = answer.expectStatus(201).json()
      answer.expectJson({ id, ...review })
      const list = (await get(`/films/${film.id}/reviews`)).expectStatus(200).json()
      if (JSON.stringify(list[0]) !== JSON.stringify({ id, ...review })) {
        fail(`GET /films/${film.id}/reviews: review ${id} was answered before and is not the first of the list`)
      }
      const after = await ofGenre()
      after.forEach((row, at) => {
        const { genre, reviews, people, stars } = before[at]
        const mean = (stars * reviews + review.stars) / (reviews + 1)
        if (row.reviews !== reviews + 1) {
          fail(`GET /report: ${genre} had ${reviews} reviews, and one more was answered since; it says ${row.reviews}`)
        }
        // The mean is rounded to hundredths, before and after.
        if (Math.abs(row.stars - mean) > 0.0101) {
          fail(`GET /report: ${genre}: expected about ${mean.toFixed(2)} stars, got ${row.stars}`)
        }
        if (row.people < people || row.people > people + 1) {
          fail(`GET /report: ${genre}: ${people} people before one review more, ${row.people} after it`)
        }
      })
    }
  },
  {
    name: 'counts reviews, people and stars as the slow server does',
    when: ['before'],
    async run ({ same, post, data, random }) {
      const [one, two] = random.shuffle(data.users)
      const [film, other] = random.shuffle(data.films)
      // Who has reviewed a film of a genre already is no new person.
      for (const [user, { id }] of [[one, film], [one, film], [two, film], [one, other], [two, other]]) {
        const answer = await post(`/films/${id}/reviews`, {
          json: { stars: random.int(1, 5), text: random.word(9) },
          headers: { authorization: `Bearer ${sign(user, data.secret)}` }
        })
        answer.expectStatus(201)
      }
      await same({ path: '/report' })
    }
  },
  {
    name: 'asks the upstream anew for every film page, and once each',
    async run ({ get, data, random, upstream, fail }) {
      const film = random.pick(data.films)
      const seen = { prices: 0, stock: 0 }
      for (let i = 0; i < 3; i++) {
        await upstream.reset()
        const { price, stock, ...rest } = (await get(`/films/${film.id}`))
          .expectStatus(200)
          .expectHeader('cache-control', 'no-store')
          .json()
        if (JSON.stringify(rest) !== JSON.stringify(film)) {
          fail(`GET /films/${film.id}: not the film of the catalogue with price and stock added`)
        }
        for (const [service, value] of /** @type {['prices' | 'stock', any][]} */ ([
          ['prices', price],
          ['stock', stock]
        ])) {
          const { call, problem } = readStamp(data, { service, film: film.id, value, after: seen[service] })
          if (problem) fail(`GET /films/${film.id}: ${problem}`)
          seen[service] = call
        }
        const calls = (await upstream.calls()).map(({ path }) => path).sort()
        if (calls.join() !== [`/prices/${film.id}`, `/stock/${film.id}`].join()) {
          fail(
            `GET /films/${film.id}: expected one call for its price and one for its stock, got ` +
              `${calls.join(', ') || 'none'}`
          )
        }
      }
      await upstream.reset()
      ;(await get('/films/9999')).expectStatus(404)
      if ((await upstream.calls()).length > 0) {
        fail('GET /films/9999: the upstream was asked about a film that does not exist')
      }
    }
  },
  {
    name: 'answers 502 with the name of the service that failed',
    async run ({ get, data, random, upstream }) {
      const { id } = random.pick(data.films)
      for (const [service, fault] of /** @type {[string, object][]} */ ([
        ['prices', { status: 500 }],
        ['stock', { status: 503 }],
        ['prices', { reset: true }]
      ])) {
        await upstream.reset([{ path: `/${service}`, ...fault }])
        ;(await get(`/films/${id}`)).expectStatus(502).expectJson({ error: 'upstream_failed', service })
      }
      await upstream.reset([{ path: '/prices', status: 500 }, { path: '/stock', status: 500, delayMs: 30 }])
      ;(await get(`/films/${id}`)).expectStatus(502)
      await upstream.reset()
      await sleep(60)
      ;(await get(`/films/${id}`)).expectStatus(200)
    }
  },
  {
    name: 'writes one line for every request',
    async run ({ send, data, random, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const tag = `c-${random.word(10)}`
      const requests = [
        { path: '/healthz', status: 200 },
        { path: `/search?text=${random.word(2)}&q=%22x`, status: 200 },
        { path: `/${random.word(8)}`, status: 404 },
        { path: `/films/${random.pick(data.films).id}`, status: 200 },
        { path: '/login', method: 'POST', json: { email: 'a@b.example', password: random.word(6) }, status: 401 }
      ].map((request, index) => ({ ...request, id: `${tag}-${index}` }))
      const sentAt = Date.now()
      for (const { id, status, ...request } of requests) {
        (await send({ ...request, headers: { 'x-request-id': id } })).expectStatus(status)
      }
      const lines = await log.linesOf(requests.map(({ id }) => id))
      for (const { id, path, method = 'GET', status } of requests) {
        const line = lines.find((line) => line.id === id) ?? {}
        for (const [field, expected] of Object.entries({ method, url: path, status })) {
          if (line[field] !== expected) {
            fail(
              `access.log: ${method} ${path}: expected ${field} ${JSON.stringify(expected)}, got ` +
                `${JSON.stringify(line[field])}`
            )
          }
        }
        const time = Date.parse(line.time)
        if (!(time >= sentAt - slackMs && time <= Date.now() + slackMs)) {
          fail(`access.log: ${method} ${path}: time is ${JSON.stringify(line.time)}`)
        }
        if (!(line.durationMs >= 0 && line.durationMs <= Date.now() - sentAt + slackMs)) {
          fail(`access.log: ${method} ${path}: durationMs is ${JSON.stringify(line.durationMs)}`)
        }
      }
    }
  },
  {
    name: 'keeps secrets out of the log',
    async run ({ post, data, random, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const user = random.pick(data.users)
      const tag = `s-${random.word(10)}`
      const token = sign(user, data.secret)
      await post(`/films/${random.pick(data.films).id}/reviews`, {
        json: { stars: 3, text: 'x' },
        headers: { authorization: `Bearer ${token}`, 'x-request-id': `${tag}-1` }
      })
      const { token: given } = (await post('/login', { json: user, headers: { 'x-request-id': `${tag}-2` } })).json()
      await log.linesOf([`${tag}-1`, `${tag}-2`])
      const text = await log.rest()
      for (const [secret, what] of [
        [token, 'a token that was sent'],
        [given, 'a token that was given'],
        [user.password, 'a password']
      ]) {
        if (text.includes(secret)) fail(`access.log holds ${what}: whoever may read the log can act as that user`)
      }
    }
  },
  {
    name: 'loses no line when it is stopped',
    when: ['before'],
    async run ({ another, random, fail }) {
      const server = await another()
      const log = await watchLog(server.dataDir, fail)
      const tag = `e-${random.word(10)}`
      const ids = Array.from({ length: 40 }, (_, index) => `${tag}-${index}`)
      for (const id of ids) await server.get('/healthz', { headers: { 'x-request-id': id } })
      if (server.canAsk) await server.stop()
      const positions = countIds(await log.linesOf(ids, { patient: !server.canAsk }), fail)
      ids.slice(1).forEach((id, at) => {
        if (Number(positions.get(id)) < Number(positions.get(ids[at]))) {
          fail(
            `access.log: the line of request ${at + 2} stands before that of request ${at + 1}, which was answered ` +
              'before it was sent'
          )
        }
      })
    }
  },
  {
    name: 'has a line for every request of the load',
    when: ['after'],
    async run ({ get, random, dataDir, fail }) {
      const log = await watchLog(dataDir, fail)
      const last = `l-${random.word(10)}`
      // When this line is there, so must be those before it.
      await get('/healthz', { headers: { 'x-request-id': last } })
      await log.linesOf([last])
      const lines = parseLines(await readLog(dataDir), (line) => line.includes(`"${loadTag}-`), fail).filter(({ id }) =>
        String(id).startsWith(`${loadTag}-`)
      )
      countIds(lines, fail)
      // Each id tells how many requests had been answered when it was sent.
      const answered = lines.reduce((most, { id }) => Math.max(most, Number(/-after-(\d+)$/.exec(id)?.[1] ?? 0)), 0)
      if (lines.length < answered) {
        fail(`access.log: ${answered} requests of the load were answered, and ${lines.length} have a line`)
      }
      if (lines.length === 0) fail('access.log: no request of the load has a line')
    }
  }
]
