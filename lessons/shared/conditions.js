import { plainBody } from '../../runner/shared/http-fields.js'
import { differInTwins } from './changes.js'
import { urlOf } from './urls.js'

/**
 * @import { Asked, Given, Step } from '../../runner/contract/index.js'
 * @import { LoadAnswer, Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ tag: string, other: string, foreign: string }} Tags other: one of another copy; foreign: of no copy
 */

/** Writes in flight at the same moment, with a read between each two, … */
const crowd = 10
/** … and how often. */
const crowds = 3

/** If-None-Match in the words of RFC 9110, 13.1.2: good while `tag` is current. @type {((tags: Tags) => string)[]} */
const good = [
  ({ tag }) => tag,
  ({ tag }) => tag,
  ({ tag }) => opaque(tag),
  ({ tag }) => `W/${opaque(tag)}`,
  ({ tag, foreign }) => `${foreign}, ${tag}`,
  ({ tag, foreign }) => `${tag},${foreign}`,
  ({ tag, foreign }) => `W/${foreign}, W/${opaque(tag)}, ${foreign}`,
  ({ tag, foreign }) => `${Array(9).fill(foreign).join(', ')}, ${tag}`
]

/** … and what says nothing of `tag`, or more. No server has a `!` in its tags by chance. */
const others = /** @satisfies {((tags: Tags) => string)[]} */ ([
  ({ tag, other }) => `${other}, ${tag}`,
  () => '*',
  ({ foreign }) => foreign,
  ({ foreign }) => `W/${foreign}, ""`
])

/** Tags of other URLs in one request: a header is bounded. */
const mostOthers = 5

/** What is no more than alike. @type {((inner: string, at: number) => string)[]} */
const near = [
  (inner) => `${inner}!`,
  (inner) => `!${inner}`,
  (inner) => inner.slice(1),
  (inner) => inner.slice(0, -1),
  (inner) => `${inner}-${inner}`,
  (inner, at) => `${inner.slice(0, at)}!${inner.slice(at + 1)}`,
  (inner) => inner.replace(/[a-z]/gi, (letter) => letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()),
  () => 'a*b'
]

/**
 * An If-None-Match with tags that only look like the current one: one of them, or all.
 *
 * @param {Random} random
 * @returns {(tag: string) => Record<string, string>} headers
 */
function nearMiss (random) {
  const [place, shuffled, isOne] = [random.next(), random.shuffle(near), random.next() < 0.3]
  return (tag) => {
    const inner = opaque(tag).slice(1, -1)
    const others = shuffled.map((change) => change(inner, Math.floor(place * inner.length)))
    const tags = others.filter((other) => other !== inner).map((other) => `"${other}"`)
    return { 'If-None-Match': isOne ? tags[0] : tags.join(', ') }
  }
}

/**
 * The last of these requests once more, with tags that only look like the current one, or with those of other URLs.
 *
 * @param {Random} random
 * @param {Step[]} reads
 * @param {{ hasOwn?: boolean }} [options] hasOwn: each URL has a content, and so a tag, of its own
 * @returns {Asked | null}
 */
export function askAlike (random, reads, { hasOwn = false } = {}) {
  const last = reads.at(-1)
  const headersFor = nearMiss(random)
  if (last === undefined) return null
  const path = urlOf(last)
  const others = hasOwn && random.next() < 0.5 ? reads.filter((step) => urlOf(step) !== path).slice(-mostOthers) : []
  return (answerOf) => {
    const tagOf = (/** @type {Step} */ step) => answerOf(step).headers.etag
    const tags = others.map(tagOf).filter(Boolean)
    if (tags.length > 0) return { path, headers: { 'If-None-Match': tags.join(', ') } }
    const etag = tagOf(last)
    return etag ? { path, headers: headersFor(etag) } : null
  }
}

/**
 * Copies of what a write has brought. What is there at the start is there again when the server restarts: whether an
 * old copy of it is good then is every server's own affair.
 *
 * @param {Step[]} reads
 * @param {Step[]} writes
 */
export function copiesOf (reads, [first]) {
  return reads.filter(({ id }) => first !== undefined && id > first.id)
}

/** @param {Random} random @param {string} tag that the client's copy came with */
export function goodCondition (random, tag) {
  return random.pick(good)({ tag, other: tag, foreign: `"${random.word(9)}"` })
}

/**
 * Any If-None-Match. Which one is drawn before the tags are known.
 *
 * @param {Random} random
 * @returns {(tag: string, other: string) => Record<string, string>} headers
 */
export function anyCondition (random) {
  const form = random.pick(random.next() < 0.7 ? good : others)
  const name = random.pick(['If-None-Match', 'if-none-match'])
  const foreign = `"${random.word(9)}"`
  return (tag, other) => ({ [name]: form({ tag, other, foreign }) })
}

/**
 * An ETag without the mark of a weak one: two tags match when this is the same (RFC 9110, 8.8.3.2).
 *
 * @param {string | undefined} etag
 */
export function opaque (etag) {
  return etag?.replace(/^W\//, '') ?? ''
}

/**
 * What is wrong with an ETag (RFC 9110, 8.8.3), or undefined.
 *
 * @param {string | undefined} etag
 * @param {boolean} [isStrong] it has to be a strong one
 */
export function wrongTag (etag, isStrong = false) {
  if (!etag) return 'there is no ETag'
  if (!/^(W\/)?"[!#-~]*"$/.test(etag)) return `expected a quoted ETag, got ${etag}`
  if (isStrong && etag.startsWith('W/')) return `expected a strong ETag, got the weak one ${etag}`
}

/** What is wrong with a 304 to a copy with this ETag. @param {LoadAnswer} answer @param {string} etag */
export function wrongNotModified ({ headers, body }, etag) {
  if (body.length > 0) return `expected no body with a 304, got ${body.length} bytes`
  if (opaque(headers.etag) !== opaque(etag)) return `a 304 with the ETag ${headers.etag} instead of ${etag}`
}

/**
 * Two runs of one server have the same number of writes behind them, and different ones, the first for no checksum: no
 * tag of the one may be good in the other. Nor do two of many changes within a millisecond share one.
 *
 * @param {Given} given
 * @param {string} path what has the tags
 * @param {() => { method: string, path: string, json: unknown }} draw a write
 * @param {object} [options]
 * @param {Record<string, string>[]} [options.forms] headers of those who read it, each of which has tags of its own
 * @param {boolean} [options.adds] a write leaves what was there: then both runs end with the same one
 * @param {(sent: any[]) => unknown} [options.contentAfter] what the path shows after these writes, to be compared with
 *   ===; default: always something else
 */
export async function expectOtherTags ({ another, random, fail }, path, draw, options = {}) {
  const { forms = [{}], adds = false, contentAfter = () => ({}) } = options
  const [first, last] = [draw(), draw()]
  const [one, other] = differInTwins(first.json, random)
  /** @type {string[][]} */
  const tags = forms.map(() => [])
  const contents = new Set()
  for (const isFirst of [true, false]) {
    const server = await another()
    const sent = []
    const begin = { ...first, json: isFirst ? one : other }
    for (const write of [begin, draw(), draw(), ...(adds ? [last] : [])]) {
      await server.send(write)
      sent.push(write.json)
      const content = contentAfter(sent)
      if (isFirst) contents.add(content)
      for (const [at, form] of forms.entries()) {
        const known = tags[at]
        const condition = isFirst ? {} : { 'if-none-match': known.join(', ') || undefined }
        const answer = await server.get(path, { headers: { ...form, ...condition } })
        const { status, headers: { etag } } = answer
        if (!isFirst && (status === 304 || known.includes(etag ?? ''))) {
          if (contents.has(content)) continue
          fail(`after a restart it answers ${status} with ${etag}, which belonged to different content before`)
        }
        answer.expectStatus(200)
        if (isFirst && etag) known.push(etag)
      }
    }
    if (!isFirst) for (const form of forms) await expectOwnTags({ ...server, fail }, { path, form }, draw)
  }
}

/**
 * @param {Pick<Given, 'get' | 'send' | 'fail'>} given
 * @param {{ path: string, form: Record<string, string> }} read
 * @param {() => { method: string, path: string, json: unknown }} draw
 */
async function expectOwnTags ({ get, send, fail }, { path, form }, draw) {
  const read = () => get(path, { headers: form })
  /** @type {Map<string, Buffer>} */
  const stoodFor = new Map()
  for (let round = 0; round < crowds; round++) {
    const pairs = Array.from({ length: crowd }, () => [read(), send(draw())])
    const answers = await Promise.all(pairs.flat())
    for (const answer of [...answers.filter((_, at) => at % 2 === 0), await read()]) {
      const { etag } = answer.expectStatus(200).headers
      if (!etag) continue
      const content = plainBody(answer)
      if (stoodFor.get(etag)?.equals(content) === false) fail(`GET ${path}: two versions have the same ETag, ${etag}`)
      stoodFor.set(etag, content)
    }
  }
}
