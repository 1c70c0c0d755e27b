import { setTimeout as sleep } from 'node:timers/promises'
import { languages, newId } from './newsroom.js'
import { editionOf, withoutEdition } from './page.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 *
 * @typedef {Parameters<Operation['draw']>[0]} DrawGiven
 */

/** Between an answer and its count, ms. */
const patienceMs = 1500
/** Few enough to be asked for again and again. */
const popular = 4
/** From here on each article is for one failure of the newsroom: nobody can have a page of it. */
const firstTroubled = 16

/** @type {Record<string, Operation>} */
export const operations = {
  article: {
    rule: 'answers an article in the language that was asked for, whatever else is in the query string',
    weight: 6,
    headers: ['content-language'],
    meaning: withoutEdition,
    draw: ({ random, data, past, about }) => {
      const known = past('article').filter((step) => about && articleOf(step) === articleOf(about))
      if (known.length > 0 && random.next() < 0.5) return random.pick(known).asked
      const id = about ? articleOf(about) : random.pick(data.ids.slice(0, random.pick([popular, firstTroubled])))
      return askFor(random, spelled(random, id), random.pick([...languages, undefined]))
    }
  },
  missing: {
    rule: 'answers 404 with a page for an article that there is not',
    weight: 2,
    headers: ['content-language'],
    draw: ({ random, data }) => askFor(random, random.pick([
      newId(random),
      newId(random),
      `${random.pick(data.ids)}x`,
      random.word(400),
      '__proto__',
      `${random.word(5)}%2F${random.word(5)}`,
      '%C3%BCber-%E6%9D%B1%E4%BA%AC'
    ]), random.pick([...languages, undefined]))
  },
  noLanguage: {
    rule: 'answers 400 to a language that there is not',
    draw: ({ random, data }) =>
      askFor(random, random.pick(data.ids), random.pick(['xx', 'toString', 'en-GB', random.word(6)]))
  },
  elsewhere: {
    rule: 'answers 404 elsewhere',
    draw: ({ random, data }) => random.pick([
      { path: `/${random.word(7)}` },
      { path: `/articles/${random.pick(data.ids)}/${random.word(4)}` },
      { path: `/articles/${random.pick(data.ids)}/refresh` },
      { method: 'DELETE', path: `/articles/${random.pick(data.ids)}` },
      { method: 'POST', path: '/metrics' }
    ])
  },
  refresh: {
    rule: 'answers 204 to a refresh',
    effect: 'shows no edition from before a refresh',
    touches: ['article', 'article', 'article', 'editions'],
    weight: 5,
    draw: ({ random, past }) => {
      if (past('article').length === 0 || !isSeen(past)) return null
      const id = spelled(random, articleOf(random.pick(past('article'))))
      return { method: 'POST', path: `/articles/${id}/refresh` }
    }
  },
  editions: {
    rule: 'shows no edition from before a refresh',
    weight: 2,
    // Each server has editions of its own, so each is asked whether it went back.
    draw: ({ past }) => (answerOf) => {
      const outdated = outdatedOf(answersOf([...past('article'), ...past('refresh')], answerOf))
      return { look: () => outdated, says: 'the pages that are older than a refresh of their article' }
    }
  },
  fails: {
    rule: 'answers 502 when the newsroom fails',
    effect: 'answers 502 when the newsroom fails',
    touches: ['troubled', 'troubled'],
    weight: 3,
    draw: ({ random, data, past }) => {
      const id = data.ids[firstTroubled + past('fails').length]
      if (id === undefined || past('fails').length > past('recovers').length || !isSeen(past)) return null
      const fault = random.pick([{ status: 500 }, { status: 503 }, { status: 429 }, { reset: true }])
      const how = 'reset' in fault ? 'cuts the connection' : `answers ${fault.status}`
      return {
        act: ({ upstream }) => upstream?.reset([{ path: `/articles/${id}`, ...fault }]),
        says: `the newsroom ${how} when it is asked for ${id}`
      }
    }
  },
  recovers: {
    rule: 'does not remember that the newsroom has failed',
    effect: 'does not remember that the newsroom has failed',
    touches: ['troubled', 'troubled'],
    weight: 6,
    draw: ({ past }) => past('fails').length === past('recovers').length || !isSeen(past)
      ? null
      : { act: ({ upstream }) => upstream?.reset(), says: 'the newsroom is well again' }
  },
  troubled: {
    rule: 'answers for an article as the newsroom does',
    headers: ['content-language'],
    meaning: withoutEdition,
    draw: ({ random, data, past, about }) => {
      const failures = past('fails').length
      if (failures === 0) return null
      if (about?.name === 'recovers' && random.next() < 0.7) return random.pick(past('troubled').slice(-2)).asked
      const id = data.ids[firstTroubled + failures - random.pick([1, 1, random.int(1, failures)])]
      return askFor(random, id, random.pick(languages))
    }
  },
  counts: {
    rule: 'counts every answer under /articles, once',
    weight: 2,
    draw: ({ past }) => (answerOf) => {
      const { length } = answersOf(Object.keys(operations).flatMap(past).filter(articleOf), answerOf)
      return {
        look: async ({ origin }) => {
          const soon = AbortSignal.timeout(2 * patienceMs)
          const read = async () => (await fetch(`${origin}/metrics`, { signal: soon })).json()
          // What is wrong with a server that does not answer, the next request tells.
          return countsOnce(read, length).then(({ answers, bytes }) => ({ answers, bytes }), String)
        },
        says: 'what GET /metrics says'
      }
    }
  }
}

/**
 * @param {Random} random
 * @param {string} id
 * @param {string} [lang]
 */
export function askFor (random, id, lang) {
  const extra = random.pick([() => [], tracking, tracking, misleading])(random)
  const query = random.shuffle([...lang === undefined ? [] : [`lang=${lang}`], ...extra]).join('&')
  return { path: `/articles/${id}${query === '' ? '' : `?${query}`}`, headers: random.pick([{}, {}, browser(random)]) }
}

/** Now and then the same in another way. @param {Random} random @param {string} [id] */
function spelled (random, id = '') {
  return random.next() < 0.7 ? id : encoded(random, id)
}

/** The same for everybody who decodes a path. @param {Random} random @param {string} id */
export function encoded (random, id) {
  const at = random.int(0, id.length - 1)
  const code = id.charCodeAt(at).toString(16)
  return `${id.slice(0, at)}%${random.pick([code, code.toUpperCase()])}${id.slice(at + 1)}`
}

/** Where a visitor comes from. Some of these names no list has. @param {Random} random */
export function tracking (random) {
  return random.pick([
    [
      `utm_source=${random.pick(['letter', 'social', 'search'])}`,
      `utm_campaign=${random.word(8)}`,
      `sid=${random.word(16)}`
    ],
    [`sid=${random.word(16)}`, `utm_medium=mail&utm_content=${random.word(10)}`],
    [`${random.word(5)}=${random.word(18)}`, 'utm_source=partner'],
    [`sid=${random.word(16)}`, `${random.word(7)}=${random.word(24)}`]
  ])
}

/** What looks like a language, and what a hasty parser stumbles over. @param {Random} random */
function misleading (random) {
  const other = random.pick(languages)
  return random.pick([
    [`slang=${other}`, `utm_lang=${other}`],
    [`next=%26lang%3D${other}`, `lang_=${other}`],
    [`q=${other}+%E6%9D%B1%E4%BA%AC%20%26`, 'flag', `list=${random.word(3)}`, `list=${random.word(3)}`]
  ])
}

/** What a browser sends along. @param {Random} random @returns {Record<string, string>} */
export function browser (random) {
  return {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'accept-language': 'de-DE,de;q=0.9,en;q=0.7',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome Safari/537.36',
    cookie: `visitor=${random.word(24)}; consent=${'necessary.statistics.marketing.'.repeat(14)}`
  }
}

/** Has a page shown what the last change has changed? So no two happen at once. @param {DrawGiven['past']} past */
function isSeen (past) {
  const [changed, read] = [['refresh', 'fails', 'recovers'], ['article', 'troubled']].map((names) =>
    Math.max(...names.map((name) => past(name).at(-1)?.id ?? 0)))
  return changed <= read
}

/** The article that a request is about. @param {Step} step @returns {string | undefined} */
function articleOf ({ asked }) {
  const id = 'path' in asked ? /^\/articles\/([^/?]+)/.exec(asked.path)?.[1] : undefined
  return id === undefined ? undefined : decodeURIComponent(id)
}

/**
 * What was answered so far, in its order.
 *
 * @param {Step[]} steps
 * @param {(step: Step) => Answer} answerOf
 */
function answersOf (steps, answerOf) {
  return steps.sort((a, b) => a.id - b.id).flatMap((step) => {
    try {
      return [{ step, answer: answerOf(step) }]
    } catch {
      return []
    }
  })
}

/** @param {{ step: Step, answer: Answer }[]} answered @returns {string[]} what was asked for, with the edition */
function outdatedOf (answered) {
  /** @type {Map<string | undefined, { seen: number, outdated: number }>} */
  const articles = new Map()
  return answered.flatMap(({ step, answer }) => {
    const id = articleOf(step)
    const { seen, outdated } = articles.get(id) ?? { seen: 0, outdated: 0 }
    const edition = editionOf(answer.headers) || 0
    articles.set(id, { seen: Math.max(seen, edition), outdated: step.name === 'refresh' ? seen : outdated })
    return edition > 0 && edition <= outdated ? [`edition ${edition} of ${id}`] : []
  })
}

/**
 * The metrics, once there was time to count.
 *
 * @param {() => Promise<any>} read
 * @param {number} most answers
 * @returns {Promise<{ answers: Record<string, number>, bytes: number, slowestMs: number }>}
 */
export async function countsOnce (read, most) {
  for (const deadline = performance.now() + patienceMs; ; await sleep(30)) {
    const metrics = await read()
    const counted = Object.values(metrics.answers).reduce((sum, count) => sum + count, 0)
    if (counted >= most || performance.now() > deadline) return metrics
  }
}
