import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { inBatches } from '../shared/batches.js'
import { languages, newId } from './newsroom.js'
import { askFor, countsOnce, encoded } from './operations.js'
import { editionOf, pageProblem } from './page.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

// Long enough for a refresh while a page is being made.
const slowMs = 120
// More than a bounded list of them would hold.
const otherRefreshes = 400

/** What takes many requests, or two at a certain moment. @type {Check[]} */
export const contract = [
  {
    name: 'shows no edition from before a refresh that came while the page was being made',
    when: ['before'],
    run: async (given) => {
      // The second visitor comes while the first one still waits, or when the first one has got the old page.
      for (const together of [true, false]) {
        const { upstream, random } = given
        const [id, lang] = [random.pick(given.data.ids), random.pick(languages)]
        const ask = async (/** @type {number} */ after) =>
          editionOf((await expectPage(given, { id, lang, after })).headers)
        await refresh(given, id)
        await upstream.reset([{ path: '/articles', delayMs: slowMs }])
        const early = ask(0)
        const answered = early.then(() => true, () => true)
        // Its call has to be under way when the refresh comes.
        while ((await upstream.calls()).length === 0 && !await Promise.race([answered, sleep(10)])) ;
        await refresh(given, id)
        const late = together ? ask(0) : undefined
        late?.catch(() => {})
        const after = await early
        const edition = await (late ?? ask(0))
        if (edition <= after) {
          given.fail(
            `GET /articles/${id}?lang=${lang}: edition ${edition} was fetched before the refresh; a page that is ` +
              'asked for after it needs a later one'
          )
        }
        await upstream.reset()
        await ask(after)
      }
    }
  },
  {
    name: 'shows no edition from before a refresh, whatever the path and the newsroom are like',
    when: ['before'],
    run: async (given) => {
      const { get, upstream, random, data } = given
      const id = random.pick(data.ids)
      const names = [id, encoded(random, id)]
      const readAll = async (/** @type {number} */ after) => {
        const all = names.flatMap((name) => languages.map((lang) => expectPage(given, { id, name, lang, after })))
        return Math.max(...(await Promise.all(all)).map(({ headers }) => editionOf(headers)))
      }
      const first = await readAll(0)
      await refresh(given, random.pick(names))
      const after = await readAll(first)
      // More in a row than anybody would call an outage, and it is asked again all the same.
      const faults = random.shuffle(Array(4).fill([{ status: 500 }, { status: 503 }, { reset: true }]).flat())
      for (const [at, fault] of faults.entries()) {
        await upstream.reset([{ path: `/articles/${id}`, ...fault }])
        if (at === 0) await refresh(given, random.pick(names))
        const { path, headers } = askFor(random, random.pick(names), random.pick(languages))
        const answer = await get(path, { headers })
        answer.expectStatus(502).expectJson({ error: 'upstream_failed' })
      }
      await upstream.reset()
      await readAll(after)
    }
  },
  {
    name: 'shows no edition from before a refresh, however many others there were',
    when: ['before'],
    run: async (given) => {
      const { random, data } = given
      const asked = { id: random.pick(data.ids), lang: random.pick(languages) }
      // One that has refreshed nothing yet.
      const { get, post } = await given.another()
      const fresh = { ...given, get, post }
      const after = editionOf((await expectPage(fresh, asked)).headers)
      await refresh(fresh, asked.id)
      await inBatches({ count: otherRefreshes, atOnce: 20 }, () => refresh(fresh, newId(random)))
      await expectPage(fresh, { ...asked, after })
    }
  },
  {
    name: 'asks again after a refresh for an article that there was not',
    when: ['before'],
    run: async (given) => {
      const { get, upstream, random, fail } = given
      const [id, lang] = [newId(random), random.pick(languages)]
      const { path, headers } = askFor(random, id, lang)
      ;(await get(path, { headers })).expectStatus(404)
      await refresh(given, id)
      await upstream.reset()
      ;(await get(path, { headers })).expectStatus(404)
      if (await upstream.count() === 0) fail(`GET ${path}, after a refresh: the newsroom was not asked for it again`)
    }
  },
  {
    name: 'counts an answer with the status that it had',
    when: ['before'],
    run: async (given) => {
      const { get, random, data, fail } = given
      const { path, headers } = askFor(random, random.pick(data.ids), random.pick(languages))
      const { headers: { etag } } = (await get(path, { headers })).expectStatus(200)
      const { answers } = await getMetrics(given)
      // The text leaves open whether a page has a tag: what comes is to be counted as what it is.
      const { status } = await get(path, { headers: { ...headers, 'if-none-match': etag ?? '"none"' } })
      const expected = { ...answers, [status]: (answers[status] ?? 0) + 1 }
      const got = await countsOnce(() => getMetrics(given), sum(expected))
      if (!isDeepStrictEqual(got.answers, expected)) {
        fail(
          `GET /metrics, after an answer to If-None-Match with the status ${status}: expected ` +
            `${JSON.stringify(expected)}, got ${JSON.stringify(got.answers)}`
        )
      }
    }
  },
  {
    name: 'answers and counts all of many requests that come together',
    when: ['before'],
    run: async (given) => {
      const { upstream, random, data, fail } = given
      const before = await getMetrics(given)
      const ids = random.shuffle(data.ids).slice(0, 2)
      for (const id of ids) await refresh(given, id)
      // Nobody has a page yet, and the first ones take long.
      await upstream.reset([{ path: '/articles', delayMs: slowMs }])
      let [requests, { bytes }] = [0, before]
      // More than anybody would keep for later.
      for (; requests < 300; requests += 10) {
        const answers = await Promise.all(Array.from({ length: 10 }, (_, at) =>
          expectPage(given, { id: ids[at % 2], lang: languages[at % 3] })))
        bytes += answers.reduce((sum, { body }) => sum + body.length, 0)
        if (requests === 0) await upstream.reset()
      }
      const { 200: pages = 0, 204: refreshes = 0 } = before.answers
      const answers = { ...before.answers, 200: pages + requests, 204: refreshes + ids.length }
      const { slowestMs, ...got } = await countsOnce(() => getMetrics(given), sum(answers))
      if (!isDeepStrictEqual([got.answers, got.bytes], [answers, bytes])) {
        fail(`GET /metrics: expected ${JSON.stringify({ answers, bytes })}, got ${JSON.stringify(got)}`)
      }
      if (!(slowestMs >= slowMs - 20)) fail(`GET /metrics: an answer took ${slowMs} ms, and slowestMs is ${slowestMs}`)
    }
  },
  {
    name: 'has counted what the load asked for',
    when: ['after'],
    run: async (given) => {
      const { answers } = await getMetrics(given)
      const all = sum(answers)
      // Every load has sent more, and the checks far less.
      if (!(all >= 500)) {
        given.fail(`GET /metrics, after the load: expected many hundred answers, got ${JSON.stringify(answers)}`)
      }
    }
  }
]

/** @param {Record<string, number>} answers @returns {number} */
function sum (answers) {
  return Object.values(answers).reduce((all, count) => all + count, 0)
}

/** @param {Given} given @returns {Promise<any>} */
async function getMetrics ({ get }) {
  const numbers = { answers: (/** @type {any} */ of) => of instanceof Object, bytes: 'number', slowestMs: 'number' }
  const answer = (await get('/metrics')).expectStatus(200).expectType('application/json')
  return answer.expectShape(numbers, { extra: true }).json()
}

/**
 * @param {Given} given
 * @param {{ id: string, lang: string, name?: string, after?: number }} asked name: the id as it stands in the path
 */
async function expectPage ({ get, data, random, fail }, { id, lang, name = id, after }) {
  const { path, headers } = askFor(random, name, lang)
  const answer = await get(path, { headers })
  const problem = pageProblem(data, { id, lang, after }, answer)
  if (problem) fail(`GET ${path}: ${problem}`)
  return answer
}

/** @param {Given} given @param {string} id */
async function refresh ({ post }, id) {
  return (await post(`/articles/${id}/refresh`)).expectStatus(204)
}
