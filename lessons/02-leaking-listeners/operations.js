import { meaningOfError } from '../shared/answers.js'
import { anyUrl, urlOf } from '../shared/urls.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation, Step } from '../../runner/lesson/index.js'
 */

const path = '/seed/v1'

/** @type {Record<string, Operation>} */
export const operations = {
  read: {
    rule: 'answers GET /seed/v1 with data, url and ts as JSON, Cache-Control, and an ETag from the second time on',
    weight: 10,
    tagged: true,
    draw: ({ random, past }) => ({ path: anyUrl(path, random, past('read')) }),
    // When it was made is another check's business, and no part of the ETag.
    meaning: (answer) => {
      const { ts, ...content } = answer.json()
      return { ...content, ts: typeof ts }
    }
  },
  tags: {
    rule: 'keeps the ETag of a URL, and gives each URL one of its own',
    weight: 3,
    // Of all that were asked for until then, not of those that were drawn before it: at the end it is done once more.
    draw: ({ past }) => (answerOf) => ({
      look: () => tagsOf(past('read'), answerOf),
      says: 'the ETags of these answers'
    })
  },
  post: {
    rule: 'answers 405 with Allow: GET to a POST',
    meaning: meaningOfError,
    draw: ({ random }) => ({ method: 'POST', path, json: random.pick([{}, { data: random.word(5) }]) })
  },
  otherPath: {
    rule: 'answers 404 to any other path',
    meaning: meaningOfError,
    draw: ({ random }) => ({
      method: random.pick(['GET', 'GET', 'POST']),
      path: random.pick([
        '/',
        '/seed',
        `/seed/${random.word(6)}`,
        `/${random.word(4)}/v1?a=1`,
        `${path}${random.int(0, 9)}`
      ])
    })
  }
}

/**
 * Two right servers make different tags, and one of them may have none for the first answer.
 *
 * @param {Step[]} steps
 * @param {(step: Step) => Answer} answerOf
 */
function tagsOf (steps, answerOf) {
  const [owners, tags] = [new Map(), new Map()]
  for (const step of steps) {
    const etag = answerIn(step, answerOf)?.headers.etag
    if (etag === undefined) continue
    const url = urlOf(step)
    const [owner, tag] = [owners.get(etag) ?? url, tags.get(url) ?? etag]
    if (owner !== url) return { [url]: `${etag}, that of ${owner}` }
    if (tag !== etag) return { [url]: `${tag}, then ${etag}` }
    owners.set(etag, url)
    tags.set(url, tag)
  }
  return 'each URL has one of its own'
}

/** Null where the sequence was made shorter. @param {Step} step @param {(step: Step) => Answer} answerOf */
function answerIn (step, answerOf) {
  try {
    return answerOf(step)
  } catch {
    return null
  }
}
