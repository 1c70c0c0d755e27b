import { setTimeout as sleep } from 'node:timers/promises'

/** @import { Lesson, LoadAnswer } from '../../runner/lesson/index.js' */

/** What an ETag looks like, weak or strong (RFC 9110, section 8.8.3). */
const entityTag = /^(?:W\/)?"[!#-~]+"$/

/** How far the server's clock may be from the grader's, ms: some systems tick only every 16 ms. */
const clockTolerance = 100

/** After this many further answers, an ETag that is kept right after its answer is certain to be there. */
const answersToSettle = 20

/** @type {Lesson} */
export default {
  id: 'leaking-listeners',
  title: 'Leaking listeners',
  summary: 'GET /seed/v1 gets slower with every request that it serves. Find what piles up.',

  data ({ random }) {
    const data = random.bytes(640).toString('hex')
    return { files: { 'seed.json': JSON.stringify({ data }) }, data: { data } }
  },

  contract: [
    {
      name: 'answers GET /seed/v1 with data, url and ts as JSON',
      run: async ({ get, data, fail }) => {
        const answer = await get('/seed/v1')
        answer
          .expectStatus(200)
          .expectType('application/json')
          .expectShape({ data: 'string', url: 'string', ts: 'number' })
        if (answer.json().data !== data.data) fail('GET /seed/v1: `data` is not the `data` of seed.json in DATA_DIR')
      }
    },
    {
      name: 'answers with the URL that was asked for, query string included',
      run: async ({ get, random, fail }) => {
        for (const path of [
          `/seed/v1?${random.word(6)}=1`,
          `/seed/v1?a=${random.word(5)}&b=%C3%A9%20&a=2`,
          '/seed/v1'
        ]) {
          const { url } = (await get(path)).expectStatus(200).json()
          if (url !== path) {
            fail(`GET ${path}: expected \`url\` to be ${JSON.stringify(path)}, got ${JSON.stringify(url)}`)
          }
        }
      }
    },
    {
      name: 'tells in ts when the answer was made, in milliseconds',
      run: async ({ get, random, fail }) => {
        const path = `/seed/v1?at=${random.word(6)}`
        await checkTime()
        // Longer than twice the tolerance: a time that stands still cannot be right both times.
        await sleep(2.5 * clockTolerance)
        await checkTime()

        async function checkTime () {
          const sent = Date.now()
          const { ts } = (await get(path)).expectStatus(200).json()
          const wrong = wrongTime(ts, sent, Date.now())
          if (wrong) fail(`GET ${path}: ${wrong}`)
        }
      }
    },
    {
      name: 'sends Cache-Control: public, max-age=120',
      run: async ({ get, random }) => {
        const path = `/seed/v1?cache=${random.word(6)}`
        const first = await get(path)
        const second = await get(path)
        first.expectHeader('cache-control', 'public, max-age=120')
        second.expectHeader('cache-control', 'public, max-age=120')
      }
    },
    {
      name: 'sends a quoted ETag from the second answer for a URL on',
      run: async ({ get, random }) => {
        const paths = [`/seed/v1?tag=${random.word(6)}`, `/seed/v1?tag=${random.word(6)}`]
        for (const path of paths) await get(path)
        for (const path of paths) (await get(path)).expectStatus(200).expectHeader('etag', entityTag)
      }
    },
    {
      name: 'keeps the ETag of a URL while its data is the same, whatever ts says',
      run: async ({ get, random, fail }) => {
        const path = `/seed/v1?keep=${random.word(6)}`
        await get(path)
        const second = (await get(path)).headers.etag
        await sleep(10)
        const third = (await get(path)).headers.etag
        if (second !== third) {
          fail(`GET ${path}: data and url are the same as before, yet the ETag changed from ${second} to ${third}`)
        }
      }
    },
    {
      name: 'gives different URLs different ETags',
      run: async ({ get, random, fail }) => {
        const paths = ['/seed/v1', `/seed/v1?page=${random.word(6)}`, `/seed/v1?page=${random.word(6)}`]
        for (const path of paths) await get(path)
        /** @type {Map<string, string>} */
        const seen = new Map()
        for (const path of paths) {
          const { etag } = (await get(path)).headers
          // A missing ETag is another check's business.
          if (!etag) continue
          if (seen.has(etag)) {
            fail(`GET ${path}: its ETag is the one of ${seen.get(etag)}, but the bodies differ in url`)
          }
          seen.set(etag, path)
        }
      }
    },
    {
      name: 'answers 404 with a JSON error to any other path',
      run: async ({ get, random }) => {
        for (const path of ['/', `/seed/${random.word(6)}`, `/${random.word(4)}/v1?a=1`]) {
          const answer = await get(path)
          answer
            .expectStatus(404)
            .expectType('application/json')
            .expectShape({ code: /^ResourceNotFound$/, message: 'string' })
        }
      }
    },
    {
      name: 'answers 405 with Allow: GET to a POST',
      run: async ({ post }) => {
        const answer = await post('/seed/v1', { json: {} })
        answer.expectStatus(405).expectHeader('allow', /\bGET\b/)
        answer.expectType('application/json').expectShape({ code: /^MethodNotAllowed$/, message: 'string' })
      }
    }
  ],

  model: () => ({ answers: 0, firstAnswer: new Map(), tagOf: new Map(), ownerOf: new Map() }),

  loads: {
    seed: {
      // A leak: the cost grows with the requests served, so both sides start anew and serve the same number.
      fresh: true,
      exactly: 400,
      connections: 10,
      stream: ({ random, data, model }) => {
        const known = ['/seed/v1', ...Array.from({ length: 5 }, () => `/seed/v1?page=${random.word(6)}`)]
        return () => {
          const path = random.next() < 0.85 ? random.pick(known) : `/seed/v1?user=${random.word(8)}`
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
  const time = wrongTime(body.ts, sent, received)
  return time ?? wrongTag(headers.etag, path, tagIsDue, model)
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
function wrongTime (ts, sent, received) {
  if (!Number.isInteger(ts)) return `\`ts\` is ${JSON.stringify(ts)}, not whole milliseconds since 1970`
  const time = Number(ts)
  if (time < sent - clockTolerance) return `\`ts\` lies ${sent - time} ms before the request was sent`
  if (time > received + clockTolerance) return `\`ts\` lies ${time - received} ms after the answer arrived`
}
