import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sendInOneGo } from '../../runner/contract/index.js'
import { inBatches, onKeptConnections } from '../shared/batches.js'
import { outlastsFailures } from '../shared/failures.js'
import { editionOf, languages, newId, wrongPage } from './newsroom.js'
import { countOf, metricsOnce } from './operations.js'
import { askFor, encoded, pagesOf } from './visitors.js'

/**
 * Checks that take many requests, or two at a certain moment.
 *
 * @import http from 'node:http'
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { FormContract } from '../form/types.js'
 */

/** Long enough for a refresh while a page is being made; the others for busy machines. */
const delaysMs = [120, 500, 2000]
/** More than a server looks at one by one. */
const mostLooked = 220
/** More than a bounded list of numbers holds until someone requests the metrics: of what takes the least to answer. */
const [manyRefused, inOneGo] = [4500, 100]
const readers = 20

/** @type {FormContract} */
export const contract = {
  before: {
    'shows no edition from before a refresh that came while the page was being made': async (given) => {
      // The second visitor comes while the first one still waits, or when the first one has got the old page.
      for (const together of [true, false]) {
        for (const slowMs of delaysMs) if (await refreshDuring(given, { together, slowMs })) break
      }
    },
    'shows no edition from before a refresh, whatever the path and the newsroom are like': async (given) => {
      const { send, upstream, random } = given
      const { id } = somePage(given)
      const ids = [id, encoded(random, id)]
      const readAll = (/** @type {Answer[]} */ copies = []) => {
        const after = Math.max(0, ...copies.map(editionOf))
        return Promise.all(pagesOf({ ids }).map((page, at) => read(given, { ...page, after, copy: copies[at] })))
      }
      const first = await readAll()
      await refresh(given, random.pick(ids))
      // A client that revalidates its copy gets a new page, too.
      const second = await readAll(first)
      // More failures in a row than any circuit breaker should tolerate, and it's called again all the same.
      const faults = random.shuffle(Array(4).fill([{ status: 500 }, { status: 503 }, { reset: true }]).flat())
      for (const [at, fault] of faults.entries()) {
        await upstream.reset([{ path: `/articles/${id}`, ...fault }])
        if (at === 0) await refresh(given, random.pick(ids))
        const answer = await send(askFor(random, { id: random.pick(ids), lang: random.pick(languages) }))
        answer.expectStatus(502).expectJson({ error: 'upstream_failed' })
      }
      await upstream.reset()
      await readAll(second)
    },
    'fetches a missing article again after a refresh': async (given) => {
      const { send, upstream, random, fail } = given
      const page = missingPage(given)
      const request = askFor(random, page)
      ;(await send(request)).expectStatus(404)
      await refresh(given, page.id)
      await upstream.reset()
      ;(await send(request)).expectStatus(404)
      const count = await upstream.count()
      if (count === 0) fail(`GET ${request.path}, after a refresh: the newsroom wasn’t called for it again`)
    },
    'has room for 250 pages in memory, and counts each response, even under constant load': async (given) => {
      const { upstream, random, data, fail } = given
      // More than that are of articles, in three languages each, and others say that there's none.
      const ids = Array.from({ length: 87 }, (_, at) => `${data.ids[at % data.ids.length]}~${at}`)
      const articles = pagesOf({ ids })
      const missing = Array.from({ length: 100 }, () => missingPage(given))
      const pages = random.shuffle([...articles, ...missing])
      const { metrics, expectMore } = await startCounting(given)
      let { bytes } = metrics
      await upstream.reset()
      // All of them, and all of them again, without a pause: the last ones first, since they're kept for longest.
      for (const some of [pages, pages.toReversed()]) {
        const left = some.values()
        await onKeptConnections((agent) => Promise.all(Array.from({ length: readers }, async () => {
          for (const page of left) {
            const { body } = await read(given, { ...page, agent })
            bytes += body.length
          }
        })))
      }
      const kept = 2 * pages.length - await upstream.count()
      // A server may bound the bytes of 250 pages, of which some are shorter.
      if (kept > 280) fail(`${pages.length} pages were requested twice, and ${kept} of them came from memory`)
      const favourite = { ...somePage(given), id: `${data.ids[0]}~${ids.length}` }
      for (let at = 0; at < readers; at++) bytes += (await read(given, favourite)).body.length
      const calls = await upstream.count() - 2 * pages.length + kept
      if (calls === readers) fail(`after ${pages.length} pages, another one was fetched for each of ${calls} requests`)
      const { bytes: counted } = await expectMore({ 200: 2 * articles.length + readers, 404: 2 * missing.length })
      if (counted !== bytes) fail(`GET /metrics: expected ${bytes} bytes, got ${counted}`)
    },
    'answers as before after many failures': outlastsFailures({
      path: '/articles',
      // Each time another part, because one that's said to be missing may stay so.
      draw: (given) => askFor(given.random, { id: partOf(given), lang: given.random.pick(languages) }),
      expectFailure: (answer, { status }) => answer.expectStatus(status === 404 ? 404 : 502),
      expectPage: (given) => read(given, { id: partOf(given), lang: 'en' })
    })
  },
  apart: {
    'shows no edition from before a refresh, however many others there were': async (given) => {
      // One that has refreshed nothing yet.
      const fresh = { ...given, ...await given.another() }
      const page = somePage(fresh)
      const after = editionOf(await read(fresh, page))
      await refresh(fresh, page.id)
      // More than a bounded list of them would hold.
      await inBatches({ count: 400, atOnce: 20 }, (_, agent) => refresh(fresh, newId(given.random), agent))
      await read(fresh, { ...page, after })
    },
    'answers and counts each of many requests, with its status': async (first) => {
      const given = { ...first, ...await first.another() }
      const { get, send, origin, upstream, random, data, fail } = given
      const ids = random.shuffle(data.ids).slice(0, 2)
      const { expectMore } = await startCounting(given)
      const page = { id: ids[0], lang: 'fr' }
      await inBatches({ count: mostLooked, atOnce: readers }, (_, agent) => read(given, { ...page, agent }))
      let { slowestMs } = await expectMore({ 200: mostLooked })
      // Each takes longer than any before, so none may be left out, whether it's a page or not. It isn't asked for
      // where a busy machine has made one slow already.
      for (const [at, failure] of [{}, { status: 500 }].entries()) {
        if (slowestMs > 1500) break
        const delayMs = Math.ceil(slowestMs) + 30
        await refresh(given, ids[at])
        await upstream.reset([{ path: '/articles', delayMs, ...failure }])
        const { status } = await send(askFor(random, { id: ids[at], lang: 'fr' }))
        ;({ slowestMs } = await expectMore({ [status]: 1, 204: 1 }))
        if (!(slowestMs >= delayMs)) fail(`GET /metrics: a ${status} took ${delayMs} ms, and slowestMs is ${slowestMs}`)
      }
      await upstream.reset()
      // The text doesn't say whether a page has a tag: the actual status must be counted.
      const { path, headers } = askFor(random, { id: ids[0], lang: 'de' })
      const { headers: { etag = '"none"' } } = (await get(path, { headers })).expectStatus(200)
      const { status } = await get(path, { headers: { ...headers, 'if-none-match': etag } })
      await expectMore(status === 200 ? { 200: 2 } : { 200: 1, [status]: 1 })
      const refused = Array(inOneGo).fill({ path: `/articles/${ids[0]}?lang=${random.word(5)}` })
      let count = 0
      while (count < manyRefused) {
        const answers = await sendInOneGo(origin, refused, await first.within(5000))
        if (answers.length === 0) fail(`GET ${refused[0].path}, ${inOneGo} times in one go: no answer`)
        count += answers.map((answer) => answer.expectStatus(400)).length
      }
      await expectMore({ 400: count })
    }
  },
  after: {
    'has counted the requests of the load': async (given) => {
      const { answers } = await metricsOnce(given.get)
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

/** @param {Given} given */
function missingPage (given) {
  return { ...somePage(given), id: newId(given.random), isMissing: true }
}

/** The id of one that nobody has requested. @param {Given} given */
function partOf ({ random, data }) {
  return `${random.pick(data.ids)}~${random.int(1000, 1e9)}`
}

/**
 * @param {Given} given
 * @param {Parameters<typeof wrongPage>[1] & { copy?: Answer, agent?: http.Agent }} page id: as it is in the path; copy:
 *   what the reader has
 */
async function read ({ send, data, random, fail }, { copy, agent, ...page }) {
  const { path, headers } = askFor(random, page)
  const { etag, 'last-modified': since } = copy?.headers ?? {}
  const conditional = { ...headers, 'if-none-match': etag, 'if-modified-since': since }
  const answer = await send({ path, headers: conditional, agent })
  const wrong = wrongPage(data, { ...page, id: decodeURIComponent(page.id) }, answer)
  if (wrong) fail(`GET ${path}: ${wrong}`)
  return answer
}

/**
 * @param {Given} given
 * @param {{ together: boolean, slowMs: number }} how together: the second visitor comes while the first one still waits
 * @returns {Promise<boolean>} did the refresh come while the page was being made?
 */
async function refreshDuring (given, { together, slowMs }) {
  const { send, upstream, random } = given
  const page = somePage(given)
  await refresh(given, page.id)
  // Late, or in pieces, as over a long way.
  await upstream.reset([{ path: `/articles/${page.id}`, [together ? 'delayMs' : 'trickleMs']: slowMs }])
  const isCalled = async (/** @type {Promise<unknown>} */ asked) => {
    const answered = asked.then(() => true, () => true)
    while (await upstream.count() === 0 && !await Promise.race([answered, sleep(5)])) ;
  }
  // Whoever came first leaves when others have come.
  if (together) await isCalled(send({ ...askFor(random, page), leaveMs: slowMs / 2 }))
  let isMade = false
  const early = read(given, page).finally(() => { isMade = true })
  await isCalled(early)
  // All that's fetched from now on is a later edition than this one, which no one has read.
  const later = { ...page, after: editionOf(await read(given, { id: partOf(given), lang: page.lang })) }
  await refresh(given, page.id)
  const isInTime = !isMade
  await Promise.all([early, together ? read(given, later) : early.then(() => read(given, later))])
  await upstream.reset()
  await read(given, later)
  return isInTime
}

/** @param {Given} given @param {string} id @param {http.Agent} [agent] */
async function refresh ({ post }, id, agent) {
  return (await post(`/articles/${id}/refresh`, { agent })).expectStatus(204)
}

/** @param {Given} given */
async function startCounting (given) {
  const metrics = await metricsOnce(given.get)
  const expected = { ...metrics.answers }
  /** So many more answers than so far, by status. @param {Record<string, number>} more @returns the metrics then */
  const expectMore = async (more) => {
    for (const [status, count] of Object.entries(more)) expected[status] = (expected[status] ?? 0) + count
    const now = await metricsOnce(given.get, countOf(expected), await given.within(1))
    const [wanted, got] = [expected, now.answers].map((answers) => JSON.stringify(answers))
    if (!isDeepStrictEqual(now.answers, expected)) given.fail(`GET /metrics: expected ${wanted}, got ${got}`)
    return now
  }
  return { metrics, expectMore }
}
