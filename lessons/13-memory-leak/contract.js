import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { inBatches } from '../shared/batches.js'
import { outlastsFailures } from '../shared/failures.js'
import { countOf, metricsOnce } from './metrics.js'
import { languages, newId } from './newsroom.js'
import { editionOf, wrongHead, wrongPage } from './page.js'
import { askFor, encoded } from './visitors.js'

/**
 * Checks that take many requests, or two at a certain moment.
 *
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { FormContract } from '../form/types.js'
 */

// Long enough for a refresh while a page is being made.
const slowMs = 120
/** A response that takes so much longer than any before … */
const longerMs = 30
/** … isn't asked for where a busy machine has made one slow already. */
const mostSlowMs = 1500
// More than a bounded list of them would hold.
const otherRefreshes = 400
/** A server may bound the bytes of 250 pages, of which some are shorter. */
const mostKept = 280
/** More than a server looks at one by one. */
const mostLooked = 220
/** More than a bounded list of numbers holds until someone requests the metrics: of what takes the least to answer. */
const manyRefused = 4500
/** More pages than that are of articles, in three languages each, and others say that there's none. */
const many = { articles: 87, missing: 100 }
const readers = 20

/** @type {FormContract} */
export const contract = {
  before: {
    'shows no edition from before a refresh that came while the page was being made': async (given) => {
      const { upstream, random, data, fail } = given
      // The second visitor comes while the first one still waits, or when the first one has got the old page.
      for (const together of [true, false]) {
        const page = somePage(given)
        await refresh(given, page.id)
        // In pieces, as over a long way.
        await upstream.reset([{ path: `/articles/${page.id}`, [together ? 'delayMs' : 'trickleMs']: slowMs }])
        if (together) await leaveWhile(given, page, () => upstream.count())
        const early = read(given, page)
        const answered = early.then(() => true, () => true)
        // Its call has to be in flight when the refresh comes.
        while (await upstream.count() === 0 && !await Promise.race([answered, sleep(10)])) ;
        // All that's fetched from now on is a later edition than this one, which no one has read.
        const last = editionOf(await read(given, { id: partOf(random, data), lang: page.lang }))
        await refresh(given, page.id)
        const late = together ? read(given, page) : early.then(() => read(given, page))
        const [, edition] = (await Promise.all([early, late])).map(editionOf)
        if (edition <= last) {
          fail(`GET /articles/${page.id}: edition ${edition} was fetched before the refresh; a page that is ` +
            'requested after it needs a later one')
        }
        await upstream.reset()
        await read(given, { ...page, after: last })
      }
    },
    'shows no edition from before a refresh, whatever the path and the newsroom are like': async (given) => {
      const { get, upstream, random } = given
      const { id } = somePage(given)
      const names = [id, encoded(random, id)]
      const readAll = (after = 0, /** @type {Answer[]} */ copies = []) => Promise.all(
        names.flatMap((name) => languages.map((lang) => ({ id, name, lang, after })))
          .map((page, at) => read(given, { ...page, copy: copies[at] }))
      )
      const newest = (/** @type {Answer[]} */ answers) => Math.max(...answers.map(editionOf))
      const first = await readAll()
      await refresh(given, random.pick(names))
      // A client that revalidates its copy gets a new page, too.
      const second = await readAll(newest(first), first)
      // More failures in a row than any circuit breaker should tolerate, and it's called again all the same.
      const faults = random.shuffle(Array(4).fill([{ status: 500 }, { status: 503 }, { reset: true }]).flat())
      for (const [at, fault] of faults.entries()) {
        await upstream.reset([{ path: `/articles/${id}`, ...fault }])
        if (at === 0) await refresh(given, random.pick(names))
        const { path, headers } = askFor(random, { id: random.pick(names), lang: random.pick(languages) })
        ;(await get(path, { headers })).expectStatus(502).expectJson({ error: 'upstream_failed' })
      }
      await upstream.reset()
      await readAll(newest(second), second)
    },
    'shows no edition from before a refresh, however many others there were': async (given) => {
      // One that has refreshed nothing yet.
      const { get, post } = await given.another()
      const fresh = { ...given, get, post }
      const page = somePage(given)
      const after = editionOf(await read(fresh, page))
      await refresh(fresh, page.id)
      await inBatches({ count: otherRefreshes, atOnce: 20 }, () => refresh(fresh, newId(given.random)))
      await read(fresh, { ...page, after })
    },
    'fetches a missing article again after a refresh': async (given) => {
      const { get, upstream, random, fail } = given
      const page = { ...somePage(given), id: newId(random) }
      const { path, headers } = askFor(random, page)
      ;(await get(path, { headers })).expectStatus(404)
      await refresh(given, page.id)
      await upstream.reset()
      ;(await get(path, { headers })).expectStatus(404)
      if (await upstream.count() === 0) fail(`GET ${path}, after a refresh: the newsroom wasn’t called for it again`)
    },
    'has room for 250 pages in memory, and counts each response, even under constant load': async (given) => {
      const { upstream, random, data, fail } = given
      const pages = random.shuffle([
        ...Array.from({ length: many.articles }, (_, at) => `${data.ids[at % data.ids.length]}~${at}`)
          .flatMap((id) => languages.map((lang) => ({ id, lang, isMissing: false }))),
        ...Array.from({ length: many.missing }, () => ({ ...somePage(given), id: newId(random), isMissing: true }))
      ])
      let { answers, bytes } = await getMetrics(given)
      await upstream.reset()
      // All of them, and all of them again, without a pause: the last ones first, since they're kept for longest.
      for (const some of [pages, pages.toReversed()]) {
        const left = [...some]
        await Promise.all(Array.from({ length: readers }, async () => {
          for (let page; (page = left.shift());) {
            const { body } = await read(given, page)
            bytes += body.length
          }
        }))
      }
      const kept = 2 * pages.length - await upstream.count()
      if (kept > mostKept) fail(`${pages.length} pages were requested twice, and ${kept} of them came from memory`)
      const favourite = { ...somePage(given), id: `${data.ids[0]}~${many.articles}` }
      for (let at = 0; at < readers; at++) bytes += (await read(given, favourite)).body.length
      const calls = await upstream.count() - 2 * pages.length + kept
      if (calls === readers) fail(`after ${pages.length} pages, another one was fetched for each of ${calls} requests`)
      answers = plus(answers, { 200: 2 * languages.length * many.articles + readers, 404: 2 * many.missing })
      const metrics = await expectMetrics(given, answers)
      if (metrics.bytes !== bytes) fail(`GET /metrics: expected ${bytes} bytes, got ${metrics.bytes}`)
    },
    'answers as before after many failures': outlastsFailures({
      path: '/articles',
      // Each time another part, because one that's said to be missing may stay so.
      draw: ({ random, data }) => askFor(random, { id: partOf(random, data), lang: random.pick(languages) }),
      expectFailure: (answer, { status }) => answer.expectStatus(status === 404 ? 404 : 502),
      expectPage: (given) => read(given, { id: partOf(given.random, given.data), lang: 'en' })
    })
  },
  apart: {
    'answers and counts each of many requests, with its status': async (first) => {
      const given = { ...first, ...await first.another() }
      const { get, upstream, random, data, fail } = given
      const ids = random.shuffle(data.ids).slice(0, 2)
      let { answers } = await getMetrics(given)
      const expect = (/** @type {Record<string, number>} */ more) => {
        answers = plus(answers, more)
        return expectMetrics(given, answers)
      }
      await inBatches({ count: mostLooked, atOnce: readers }, () => read(given, { id: ids[0], lang: 'fr' }))
      await expect({ 200: mostLooked })
      // Each takes longer than any before, so none may be left out, whether it's a page or not.
      for (const [at, failure] of [{}, { status: 500 }].entries()) {
        const { slowestMs } = await getMetrics(given)
        if (slowestMs > mostSlowMs) break
        const delayMs = Math.ceil(slowestMs) + longerMs
        await refresh(given, ids[at])
        await upstream.reset([{ path: '/articles', delayMs, ...failure }])
        const { path, headers } = askFor(random, { id: ids[at], lang: 'fr' })
        const { status } = await get(path, { headers })
        const { slowestMs: slowest } = await expect({ [status]: 1, 204: 1 })
        if (!(slowest >= delayMs)) fail(`GET /metrics: a ${status} took ${delayMs} ms, and slowestMs is ${slowest}`)
      }
      await upstream.reset()
      // The text doesn't say whether a page has a tag: the actual status must be counted.
      const { path, headers } = askFor(random, { id: ids[0], lang: 'de' })
      const { headers: { etag = '"none"' } } = (await get(path, { headers })).expectStatus(200)
      const { status } = await get(path, { headers: { ...headers, 'if-none-match': etag } })
      await expect(status === 200 ? { 200: 2 } : { 200: 1, [status]: 1 })
      const refused = `/articles/${ids[0]}?lang=${random.word(5)}`
      await inBatches({ count: manyRefused, atOnce: 50 }, async (_, agent) => {
        (await get(refused, { agent })).expectStatus(400)
      })
      await expect({ 400: manyRefused })
    }
  },
  after: {
    'has counted the requests of the load': async (given) => {
      const { answers } = await getMetrics(given)
      // Every load has sent more, and the checks far fewer.
      if (countOf(answers) >= 500) return
      given.fail(`GET /metrics, after the load: expected many hundreds of answers, got ${JSON.stringify(answers)}`)
    }
  }
}

/** @param {Given} given */
function somePage ({ random, data }) {
  return { id: /** @type {string} */ (random.pick(data.ids)), lang: random.pick(languages) }
}

/** One that nobody has requested. @param {Random} random @param {any} data */
function partOf (random, { ids }) {
  return `${random.pick(ids)}~${random.int(1000, 1e9)}`
}

/**
 * @param {Given} given
 * @param {{ id: string, lang: string, name?: string, after?: number, copy?: Answer, isMissing?: boolean }} page name:
 *   the id as it is in the path; copy: what the reader has of it; isMissing: there's no such article
 */
async function read ({ get, data, random, fail }, { id, lang, name = id, after, copy, isMissing }) {
  const { path, headers } = askFor(random, { id: name, lang })
  const { etag, 'last-modified': since } = copy?.headers ?? {}
  const answer = await get(path, { headers: { ...headers, 'if-none-match': etag, 'if-modified-since': since } })
  const wrong = isMissing ? wrongHead(answer, 404, lang) : wrongPage(data, { id, lang, after }, answer)
  if (wrong) fail(`GET ${path}: ${wrong}`)
  return answer
}

/**
 * Whoever came first leaves when others have come.
 *
 * @param {Given} given @param {{ id: string, lang?: string }} page @param {() => Promise<number>} countCalls
 */
async function leaveWhile ({ send, random }, page, countCalls) {
  const left = send({ ...askFor(random, page), leaveMs: slowMs / 2 }).then(() => true, () => true)
  while (await countCalls() === 0 && !await Promise.race([left, sleep(5)])) ;
}

/** @param {Given} given @param {string} id */
async function refresh ({ post }, id) {
  return (await post(`/articles/${id}/refresh`)).expectStatus(204)
}

/** @param {Given} given @returns {Promise<any>} */
async function getMetrics ({ get }) {
  const numbers = { answers: (/** @type {any} */ of) => of instanceof Object, bytes: 'number', slowestMs: 'number' }
  const answer = (await get('/metrics')).expectStatus(200).expectType('application/json')
  return answer.expectShape(numbers, { extra: true }).json()
}

/** @param {Record<string, number>} answers by status @param {Record<string, number>} more */
function plus (answers, more) {
  const sums = Object.entries(more).map(([status, count]) => [status, (answers[status] ?? 0) + count])
  return { ...answers, ...Object.fromEntries(sums) }
}

/** @param {Given} given @param {Record<string, number>} expected answers by status */
async function expectMetrics (given, expected) {
  const metrics = await metricsOnce(() => getMetrics(given), countOf(expected), await given.within(1))
  const [wanted, got] = [expected, metrics.answers].map((answers) => JSON.stringify(answers))
  if (!isDeepStrictEqual(metrics.answers, expected)) given.fail(`GET /metrics: expected ${wanted}, got ${got}`)
  return metrics
}
