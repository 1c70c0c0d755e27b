import { anyUrl } from '../shared/urls.js'

/**
 * What an answer to `GET /seed/v1` must be like.
 *
 * @import { Item, Stream } from '../../runner/lesson/index.js'
 */

/** How far the server's clock may be from the grader's, ms. It's the same clock, but Windows ticks only every 16 ms. */
export const clockTolerance = process.platform === 'win32' ? 40 : 3
/** The clock may be set while the server answers: one wrong time doesn't count. */
export const wrongTimes = 2
/** After this many further answers, an ETag that is kept right after its answer is certain to be there. */
const answersToSettle = 20
/** Whatever keeps the path of a request, even one in ten, then keeps more than the lesson allows for each. */
const refusedLength = 3000
/** What an ETag looks like, weak or strong (RFC 9110, section 8.8.3). */
const entityTag = /^(?:W\/)?"[!#-~]+"$/

/** What is known of one server's answers; firstAnswer: the number of the first one, by URL. */
export function newModel () {
  return { answers: 0, wrongTimes: 0, firstAnswer: new Map(), wrongTag: createTags() }
}

/**
 * Requests the same few URLs, and now and then a new one, or one that's refused.
 *
 * @param {string[]} urls some of these few
 * @param {{ newShare?: number, refusedShare?: number }} shares in [0, 1)
 * @returns {Stream}
 */
export function asking (urls, { newShare = 0, refusedShare = 0 }) {
  return ({ random, data: { seed }, model }) => {
    const known = [...urls, ...Array.from({ length: 5 }, () => anyUrl('/seed/v1', random))]
    return () => {
      if (random.next() < refusedShare) {
        const path = `/seed/${random.word(refusedLength)}`
        return { path, check: ({ status }) => status === 404 ? undefined : `expected status 404, got ${status}` }
      }
      return ask(random.next() < newShare ? `/seed/v1?user=${random.word(8)}` : random.pick(known), seed.data, model)
    }
  }
}

/** @param {string} path @param {string} text @param {ReturnType<typeof newModel>} model @returns {Item} */
function ask (path, text, model) {
  const tagIsDue = model.answers - (model.firstAnswer.get(path) ?? Infinity) >= answersToSettle
  const sent = Date.now()
  let received = Infinity
  return {
    path,
    answered ({ status }) {
      received = Date.now()
      model.answers++
      if (status === 200 && !model.firstAnswer.has(path)) model.firstAnswer.set(path, model.answers)
    },
    check: (answer) => {
      const { etag, 'content-type': type = '', 'cache-control': caching } = answer.headers
      if (answer.status !== 200) return `expected status 200, got ${answer.status}`
      if (!/^application\/json\b/i.test(type)) return 'the Content-Type isn’t application/json'
      if (caching !== 'public, max-age=120') return 'Cache-Control isn’t "public, max-age=120"'
      const { data, url, ts } = answer.json()
      if (data !== text) return '`data` isn’t the one in seed.json'
      if (url !== path) return `\`url\` is ${JSON.stringify(url)}`
      const time = wrongTime(ts, sent, received)
      if (time && ++model.wrongTimes >= wrongTimes) return time
      if (etag !== undefined) return entityTag.test(etag) ? model.wrongTag(path, etag) : 'the ETag isn’t quoted'
      if (tagIsDue) return 'this URL was answered before, yet this answer comes without an ETag'
    }
  }
}

/** Each URL has its own tag, and keeps it. */
export function createTags () {
  const [tags, owners] = [new Map(), new Map()]
  return (/** @type {string} */ url, /** @type {string} */ etag) => {
    const [tag, owner] = [tags.get(url) ?? etag, owners.get(etag) ?? url]
    if (tag !== etag) return `the ETag changed from ${tag} to ${etag}, although data and url didn’t`
    if (owner !== url) return `its ETag is that of ${owner}`
    tags.set(url, etag)
    owners.set(etag, url)
  }
}

/** What is wrong with a time, ms since 1970. @param {unknown} ts @param {number} sent @param {number} received */
export function wrongTime (ts, sent, received) {
  if (!Number.isInteger(ts)) return `\`ts\` is ${JSON.stringify(ts)}, not whole milliseconds since 1970`
  const time = Number(ts)
  if (time < sent - clockTolerance) return `\`ts\` lies ${sent - time} ms before the request was sent`
  if (time > received + clockTolerance) return `\`ts\` lies ${time - received} ms after the answer arrived`
}
