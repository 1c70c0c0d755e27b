import { setTimeout as sleep } from 'node:timers/promises'
import { LateError, send, timeFor } from '../../runner/contract/index.js'
import { alikeKeys, oddKeys } from '../form/kinds.js'
import { answersOf, countDrawn } from '../shared/answers.js'
import { editionOf, languages, newId, withoutEdition } from './newsroom.js'
import { askFor, encoded } from './visitors.js'

/**
 * @import { Answer, Request } from '../../runner/contract/index.js'
 * @import { Random, Step } from '../../runner/lesson/index.js'
 * @import { FormOperation } from '../form/types.js'
 */

/** Few enough to be requested again and again. */
const popular = 4
/** From here on each article is for one failure of the newsroom: no server can have a page of it. */
const firstTroubled = 16
const numbers = { answers: (/** @type {any} */ of) => of instanceof Object, bytes: 'number', slowestMs: 'number' }
const isMissing = 'answers 404 with a page for an article that doesn’t exist'
const goesBack = 'shows no edition from before a refresh'
const isUnknown = 'answers 400 to an unknown language'
const fails = 'answers 502 when the newsroom fails'
const recovers = 'does not remember that the newsroom has failed'

/** @type {Record<string, FormOperation>} */
export const operations = {
  article: {
    rule: 'sends an article in the requested language, whatever else is in the query string',
    weight: 7,
    headers: ['content-language'],
    meaning: withoutEdition,
    draw: ({ random, data, past, about }) => {
      const id = about ? idOf(about) : random.pick(data.ids.slice(0, random.pick([popular, firstTroubled])))
      const known = past('article').filter((step) => about && idOf(step) === id)
      return known.length > 0 && random.next() < 0.6
        ? random.pick(known).asked
        : askFor(random, { id: spelled(random, id), lang: anyLanguage(random) })
    }
  },
  [isMissing]: {
    weight: 2,
    least: 8,
    headers: ['content-language'],
    draw: ({ random, data, past }) => {
      const count = countDrawn(past(isMissing))
      const last = past('article').at(-1)
      if (last !== undefined && count % 2 === 0) return mistaken(last, count / 2)
      const alike = [`${random.pick(data.ids)}x`, random.word(400), '__proto__', '%C3%BCber-%E6%9D%B1%E4%BA%AC']
      const id = random.pick([newId(random), newId(random), `${random.word(5)}%2F${random.word(5)}`, ...alike])
      return askFor(random, { id, lang: anyLanguage(random) })
    }
  },
  [isUnknown]: {
    least: 9,
    draw: ({ random, data, past }) => {
      const good = random.pick(languages)
      const langs = ['', `${good}-GB`, ...alikeKeys(good), ...oddKeys(random, good)]
      const lang = langs[countDrawn(past(isUnknown)) % langs.length]
      return askFor(random, { id: random.pick(data.ids), lang: encodeURIComponent(lang) })
    }
  },
  'answers 404 elsewhere': ({ random, data }) => random.pick([
    { path: `/${random.word(7)}` },
    { path: `/articles/${random.pick(data.ids)}/${random.word(4)}` },
    { path: `/articles/${random.pick(data.ids)}/refresh` },
    { method: 'DELETE', path: `/articles/${random.pick(data.ids)}` },
    { method: 'POST', path: '/metrics' }
  ]),
  refresh: {
    rule: 'answers 204 to a refresh',
    effect: goesBack,
    touches: ['article', 'article', 'article', goesBack],
    weight: 5,
    draw: ({ random, past }) => past('article').length === 0
      ? null
      : { method: 'POST', path: `/articles/${spelled(random, idOf(random.pick(past('article'))))}/refresh` }
  },
  [goesBack]: {
    weight: 2,
    // Each server has its own editions, so each is checked for going back.
    draw: ({ past }) => (answerOf) => {
      const outdated = outdatedOf(answersOf([...past('article'), ...past('refresh')], answerOf))
      return { look: () => outdated, says: 'the pages that are older than the last refresh of their article' }
    }
  },
  [fails]: {
    touches: ['article', 'article'],
    weight: 3,
    draw: ({ random, data, past }) => {
      const id = data.ids[firstTroubled + past(fails).length]
      if (id === undefined || failing(past)) return null
      const fault = random.pick([{ status: 500 }, { status: 503 }, { status: 429 }, { reset: true }])
      return {
        act: ({ upstream }) => upstream?.reset([{ path: `/articles/${id}`, ...fault }]),
        says: `the newsroom ${fault.reset ? 'cuts the connection' : `answers ${fault.status}`} for /articles/${id}`
      }
    }
  },
  [recovers]: {
    touches: ['article', 'article'],
    weight: 6,
    draw: ({ past }) => {
      const says = `the newsroom has recovered, and answers for /articles/${failing(past)}`
      return failing(past) === null ? null : { act: ({ upstream }) => upstream?.reset(), says }
    }
  },
  'counts every answer under /articles, once': {
    weight: 2,
    draw: ({ past }) => (answerOf) => {
      const { length } = answersOf(Object.keys(operations).flatMap(past).filter(idOf), answerOf)
      return {
        look: async (server) => {
          const get = (/** @type {string} */ path) => send(server.origin, { path }, timeFor(server))
          const { answers, bytes } = await metricsOnce(get, length, server.patience)
          return { answers, bytes }
        },
        says: 'what GET /metrics says'
      }
    }
  }
}

/**
 * What `GET /metrics` says, once there was time to count: 1.5 s.
 *
 * @param {(path: string) => Promise<Answer>} get @param {number} [least] so many answers
 * @param {number} [patience] how many times the usual time it may take
 * @returns {Promise<any>}
 * @throws {LateError} too few so far
 */
export async function metricsOnce (get, least = 0, patience = 1) {
  for (const deadline = performance.now() + patience * 1500; ; await sleep(30)) {
    const answer = (await get('/metrics')).expectStatus(200).expectType('application/json')
    const metrics = answer.expectShape(numbers, { extra: true }).json()
    const count = countOf(metrics.answers)
    if (count >= least) return metrics
    if (performance.now() > deadline) throw new LateError(`GET /metrics: it counts ${count} answers of ${least}`)
  }
}

/** @param {Record<string, number>} answers by status */
export function countOf (answers) {
  return Object.values(answers).reduce((sum, count) => sum + count, 0)
}

/** The id of the article for which the newsroom fails now. @param {(name: string) => Step[]} past */
function failing (past) {
  const [failed, recovered] = [fails, recovers].map((name) => past(name).at(-1))
  return failed && failed.id > (recovered?.id ?? 0) ? idOf(failed) : null
}

/** Now and then the same in another way. @param {Random} random @param {string} id */
function spelled (random, id) {
  return random.next() < 0.7 ? id : encoded(random, id)
}

/** @param {Random} random @returns {string | undefined} */
function anyLanguage (random) {
  const lang = random.pick([...languages, undefined])
  return lang && spelled(random, lang)
}

/** The same request, of an article that careless code takes for its. @param {Step} step @param {number} way */
function mistaken (step, way) {
  const asked = /** @type {Request} */ (step.asked)
  const ids = alikeKeys(idOf(step))
  const path = `/articles/${encodeURIComponent(ids[way % ids.length])}`
  return { ...asked, path: asked.path.replace(/^[^?]+/, path) }
}

/** The article that a step is about, '' for none. @param {Step} step */
function idOf ({ asked }) {
  const text = 'path' in asked ? asked.path : 'says' in asked ? asked.says : ''
  return decodeURIComponent(/\/articles\/([^/?]+)/.exec(text)?.[1] ?? '')
}

/** @param {{ step: Step, answer: Answer }[]} answered @returns {string[]} what was requested, with the edition */
function outdatedOf (answered) {
  const [seen, outdated] = [new Map(), new Map()]
  return answered.flatMap(({ step, answer }) => {
    const [id, edition] = [idOf(step), editionOf(answer)]
    if (step.name === 'refresh') outdated.set(id, seen.get(id))
    seen.set(id, Math.max(seen.get(id) ?? 0, edition))
    return edition > 0 && edition <= outdated.get(id) ? [`edition ${edition} of ${id}`] : []
  })
}
