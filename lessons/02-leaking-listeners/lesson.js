import { setTimeout as sleep } from 'node:timers/promises'
import { inBatches } from '../shared/batches.js'
import { alikeUrls, anyUrl } from '../shared/urls.js'
import { operations } from './operations.js'
import { promises } from './promises.js'

/** @import { Item, Lesson, LoadAnswer } from '../../runner/lesson/index.js' */

/** What an ETag looks like, weak or strong (RFC 9110, section 8.8.3). */
const entityTag = /^(?:W\/)?"[!#-~]+"$/

/** How far the server's clock may be from the grader's, ms. It is the same one, but Windows ticks only every 16 ms. */
const clockTolerance = process.platform === 'win32' ? 40 : 3

/** Somebody may set the clock while the server answers: one wrong time is none. */
const wrongTimes = 2

/** Before each question: a time that stands still for a while is wrong in what follows at once. */
const pauses = [0, ...Array(24).fill(1), 2.5 * clockTolerance, 2.5 * clockTolerance]

/** After this many further answers, an ETag that is kept right after its answer is certain to be there. */
const answersToSettle = 20

/** More than a bounded cache of the usual size holds. */
const manyUrls = 1100

/** @type {Lesson} */
export default {
  id: 'leaking-listeners',
  title: 'Leaking listeners',
  summary: 'GET /seed/v1 gets slower with every request that it serves. Find what piles up.',

  data ({ random }) {
    const data = random.bytes(640).toString('hex')
    return { files: { 'seed.json': JSON.stringify({ data }) }, data: { data } }
  },

  operations,
  promises,

  sequence: { steps: 80, restart: true },

  contract: [
    {
      name: 'gives two URLs two ETags, however alike they are',
      run: async ({ get, random, fail }) => {
        const tags = new Map()
        for (const path of alikeUrls('/seed/v1', random)) {
          const { url } = (await get(path)).expectStatus(200).json()
          if (url !== path) fail(`GET ${path}: url is ${url}`)
          const { etag } = (await get(path)).expectStatus(200).headers
          if (etag === undefined) fail(`GET ${path}, for the second time: no ETag`)
          if (tags.has(etag)) fail(`GET ${path}: its ETag is the one of ${tags.get(etag)}`)
          tags.set(etag, path)
        }
      }
    },
    {
      name: 'tells in ts when the answer was made, in milliseconds',
      run: async ({ get, random, fail }) => {
        const path = anyUrl('/seed/v1', random)
        let wrong = 0
        for (const pauseMs of pauses) {
          await sleep(pauseMs)
          const sent = Date.now()
          const { ts } = (await get(path)).expectStatus(200).json()
          const problem = timeProblem(ts, sent, Date.now())
          if (problem && ++wrong >= wrongTimes) fail(`GET ${path}: ${problem}`)
        }
      }
    },
    {
      name: 'keeps the ETag of a URL, however many others are asked for',
      when: ['before'],
      run: async ({ another, isBaseline, fail }) => {
        // It would take seconds there, by the leak.
        if (isBaseline) return
        const server = await another()
        const tagOf = async () => (await server.get('/seed/v1?page=0')).expectStatus(200).headers.etag
        await tagOf()
        const tag = await tagOf()
        await inBatches({ count: manyUrls, atOnce: 50 }, (index) => server.get(`/seed/v1?page=${index + 1}`))
        const after = await tagOf()
        if (after !== tag) fail(`GET /seed/v1?page=0, after ${manyUrls} other URLs: the ETag ${tag} became ${after}`)
      }
    },
    {
      name: 'gives a URL another ETag when the data are others',
      when: ['before'],
      run: async ({ another, data: { data }, random, fail }) => {
        const path = anyUrl('/seed/v1', random)
        // One digit of them: nothing else of the file changes.
        const other = data.slice(0, -1) + (data.at(-1) === '0' ? '1' : '0')
        const files = { 'seed.json': JSON.stringify({ data: other }) }
        const [before, after] = await Promise.all([{}, { files }].map(async (options) => {
          const server = await another(options)
          await server.get(path)
          return (await server.get(path)).expectStatus(200).headers.etag
        }))
        if (before === after) fail(`GET ${path}: the ETag ${before} stands for the data of today and for others`)
      }
    }
  ],

  model: () => ({ answers: 0, wrongTimes: 0, firstAnswer: new Map(), tagOf: new Map(), ownerOf: new Map() }),

  loads: {
    seed: {
      // A leak: the cost grows with the requests served, so both sides start anew and serve the same number.
      fresh: true,
      exactly: 400,
      connections: 10,
      stream: ({ random, data, model }) => {
        const known = ['/seed/v1', ...Array.from({ length: 5 }, () => anyUrl('/seed/v1', random))]
        return () => {
          const path = random.next() < 0.85 ? random.pick(known) : `/seed/v1?user=${random.word(8)}`
          return ask(path, { data, model })
        }
      }
    },
    again: {
      // What a leak costs a fast server shows after thousands of requests, and in its memory first.
      fresh: true,
      exactly: 1000,
      batches: 6,
      baselineExactly: 50,
      connections: 10,
      stream: ({ random, data, model }) => {
        const known = Array.from({ length: 5 }, () => anyUrl('/seed/v1', random))
        return () => ask(random.pick(known), { data, model })
      }
    }
  },

  gates: [
    {
      name: 'seed',
      kind: 'rate',
      load: 'seed',
      target: 2.5,
      look: 'What does the server still do after each answer, and how many times does it do it?'
    },
    {
      name: 'seed growth',
      kind: 'degradation',
      load: 'seed',
      target: 1.5,
      look: 'What is there one more of after every request? `node --trace-warnings` can name the line.'
    },
    {
      name: 'memory of a request',
      kind: 'leak',
      load: 'again',
      target: 120,
      look: 'The same few addresses, again and again: what does the server still keep of each request?'
    }
  ],

  sourceHints: [
    {
      pattern: /defaultMaxListeners\s*=|setMaxListeners\(\s*(?:0|Infinity)\s*\)/,
      warning: 'The limit on listeners is lifted, so Node.js cannot warn you when they pile up again.'
    }
  ],

  mechanism: {
    expected: 'the CPU time of a request no longer grows with the requests served',
    load: 'seed',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'listeners', does: 'falls' }]
  }
}

/** @param {string} path @param {{ data: any, model: any }} known @returns {Item} */
function ask (path, { data, model }) {
  const first = model.firstAnswer.get(path)
  const tagIsDue = first !== undefined && model.answers - first >= answersToSettle
  const sent = Date.now()
  let received = Infinity
  return {
    path,
    answered ({ status }) {
      received = Date.now()
      model.answers++
      if (status === 200 && !model.firstAnswer.has(path)) model.firstAnswer.set(path, model.answers)
    },
    check: (answer) => wrongAnswer(answer, { path, data: data.data, sent, received, tagIsDue, model })
  }
}

/**
 * @param {LoadAnswer} answer
 * @param {{ path: string, data: string, sent: number, received: number, tagIsDue: boolean, model: any }} expected
 * @returns {string | undefined}
 */
function wrongAnswer (answer, { path, data, sent, received, tagIsDue, model }) {
  if (answer.status !== 200) return `expected status 200, got ${answer.status}`
  const { headers } = answer
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return 'the Content-Type is not application/json'
  if (headers['cache-control'] !== 'public, max-age=120') return 'Cache-Control is not "public, max-age=120"'
  let body
  try {
    body = answer.json()
  } catch {
    return 'the body is no JSON'
  }
  if (body?.data !== data) return '`data` is not the one of seed.json'
  if (body.url !== path) return `\`url\` is ${JSON.stringify(body.url)}`
  const time = timeProblem(body.ts, sent, received)
  if (time && ++model.wrongTimes >= wrongTimes) return time
  return wrongTag(headers.etag, path, tagIsDue, model)
}

/**
 * @param {string | undefined} etag
 * @param {string} path
 * @param {boolean} tagIsDue
 * @param {{ tagOf: Map<string, string>, ownerOf: Map<string, string> }} model
 */
function wrongTag (etag, path, tagIsDue, { tagOf, ownerOf }) {
  if (etag === undefined) {
    return tagIsDue ? 'this URL was answered before, yet this answer is without an ETag' : undefined
  }
  if (!entityTag.test(etag)) return 'the ETag is not quoted'
  if ((tagOf.get(path) ?? etag) !== etag) return 'the ETag changed, data and url did not'
  if ((ownerOf.get(etag) ?? path) !== path) return `its ETag is the one of ${ownerOf.get(etag)}`
  tagOf.set(path, etag)
  ownerOf.set(etag, path)
}

/**
 * @param {unknown} ts
 * @param {number} sent ms since 1970
 * @param {number} received ms since 1970
 */
function timeProblem (ts, sent, received) {
  if (!Number.isInteger(ts)) return `\`ts\` is ${JSON.stringify(ts)}, not whole milliseconds since 1970`
  const time = Number(ts)
  if (time < sent - clockTolerance) return `\`ts\` lies ${sent - time} ms before the request was sent`
  if (time > received + clockTolerance) return `\`ts\` lies ${time - received} ms after the answer arrived`
}
