import { isDeepStrictEqual } from 'node:util'
import { meaningOfError } from '../shared/answers.js'
import { anyCondition, askAlike, copiesOf } from '../shared/conditions.js'
import { anyUrl, urlOf } from '../shared/urls.js'
import { anyData, change, changeSlightly } from './content.js'
import { wrongTag } from './tags.js'

/** @import { Operation, Step } from '../../runner/lesson/index.js' */

const path = '/seed/v1'

/** Of any wording, but a strong one. */
const strongTag = { name: 'etag', read: wrongTag }

/** @type {Record<string, Operation>} */
export const operations = {
  read: {
    rule: 'answers GET /seed/v1 with data and url as JSON, a strong ETag and Cache-Control',
    weight: 12,
    headers: [strongTag],
    draw: ({ random, past, about }) => ({
      path: about && random.next() < 0.5 ? path : anyUrl(path, random, past('read'))
    })
  },
  ifChanged: {
    rule: 'answers 304 to a client whose copy is current, and the content to any other',
    weight: 2,
    headers: [strongTag],
    draw: ({ random, past, about }) => {
      // After a write: of copies from before it.
      const reads = copiesOf(past('read'), past('put')).filter(({ id }) => about === undefined || id < about.id)
      if (reads.length === 0) return null
      const last = reads[reads.length - 1]
      const one = about ? last : random.pick([last, last, random.pick(reads)])
      const ofUrl = reads.filter((step) => urlOf(step) === urlOf(one))
      const other = random.pick(ofUrl)
      const condition = anyCondition(random)
      const hasAll = about?.name === 'put' && random.next() < 0.5
      return (answerOf) => {
        const tagOf = (/** @type {Step} */ step) => answerOf(step).headers.etag
        if (hasAll) return { path: urlOf(one), headers: { 'If-None-Match': ofUrl.map(tagOf).join(', ') } }
        const [tag, another] = [one, other].map(tagOf)
        return tag && another ? { path: urlOf(one), headers: condition(tag, another) } : null
      }
    }
  },
  alike: {
    rule: 'answers the content to a tag that only looks like the current one',
    weight: 2,
    draw: ({ random, past }) => askAlike(random, past('read'))
  },
  put: {
    rule: 'answers 204 to new content',
    effect: 'shows new content in the very next read, whatever its query string',
    weight: 6,
    touches: ['read', 'ifChanged', 'ifChanged', 'alike'],
    // Never the same content twice: whether it is then the same copy again, is every server's own affair.
    draw: ({ random, data, past }) => {
      const earlier = [data.data, ...past('put').map(dataOf)]
      const last = earlier.findLast(({ texts }) => texts !== undefined)
      const way = random.pick([change, changeSlightly, changeSlightly, changeSlightly, () => anyData(random)])
      /** @type {any} */
      let next
      do next = way(last, random)
      while (earlier.some((one) => isDeepStrictEqual(one, next)))
      return { method: 'PUT', path, json: { data: next } }
    }
  },
  refuse: {
    rule: 'answers 400 to content without data',
    effect: 'keeps what it has when it refuses content',
    weight: 2,
    touches: ['ifChanged', 'ifChanged'],
    meaning: meaningOfError,
    draw: ({ random }) => {
      const [word, { data }] = [random.word(5), { data: anyData(random) }]
      return {
        method: 'PUT',
        path,
        headers: { 'Content-Type': 'application/json' },
        body: random.pick([
          ...[{}, { data: word }, { data: [data] }, { data: null }, { data: 5 }, { Data: data }, [{ data }], word, null]
            .map((json) => JSON.stringify(json)),
          '{"data": {"a": ',
          `{"data": {"${word}": 1}`
        ])
      }
    }
  },
  otherMethod: {
    rule: 'answers 405 with Allow: GET, PUT to another method',
    meaning: meaningOfError,
    draw: ({ random }) => ({
      method: random.pick(['POST', 'DELETE', 'PATCH']),
      path: anyUrl(path, random),
      json: random.pick([{}, { data: anyData(random) }])
    })
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

/** @param {Step} step a PUT @returns {any} */
function dataOf ({ asked }) {
  return 'json' in asked ? /** @type {any} */ (asked.json).data : {}
}
