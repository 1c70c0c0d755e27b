import { headerValues, joinHeaders, parseCookie } from '../shared/http-fields.js'
import { label } from './closed-loop.js'

/**
 * @import { Item, LoadAnswer } from '../lesson/index.js'
 * @import { SliceReport } from '../judge/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 *
 * @typedef {Pick<SliceReport, 'problems' | 'wrong' | 'badStatus'>} Faults
 */

/** Answers that wait for their check may hold this many bytes. */
const mostHeld = 48 * 1024 * 1024
/** Accepted bodies that are remembered, in bytes. */
const mostRemembered = 12 * 1024 * 1024
const mostProblems = 20
/** Headers in which two answers of a key have to agree to be the same, in addition to status and bytes. */
const compared = [
  'content-type', 'content-length', 'content-encoding', 'etag', 'cache-control', 'vary', 'location', 'set-cookie'
]

/**
 * Checks every answer of a slice, as far as possible after it: while the load runs the generator's core is for the
 * load.
 *
 * @returns {{ take: (raw: RawAnswer) => LoadAnswer, finish: () => Faults }}
 */
export function createVerifier () {
  /** @type {ReceivedAnswer[]} */
  let held = []
  /** The last of them by key. @type {Map<string, ReceivedAnswer>} */
  const waiting = new Map()
  /** @type {Item[]} */
  let items = []
  let heldBytes = 0
  const { isAccepted, remember } = createMemory()
  let faults = noFaults()

  const checkHeld = () => {
    held.forEach((answer, i) => {
      const item = items[i]
      if (isAccepted(item.key, answer)) return
      const message = judge(item, answer)
      if (message === undefined) {
        if (item.key !== undefined) remember(item.key, answer)
        return
      }
      faults.wrong++
      if (answer.status >= 400) faults.badStatus++
      if (faults.problems.length < mostProblems) {
        // A gateway's timeout is another program's lateness, and settled as one (RFC 9110, 15.6.5).
        const kind = answer.status === 504 ? 'no answer' : answer.status >= 400 ? 'status' : 'mismatch'
        faults.problems.push({ kind, message: `${label(item)}: ${message}` })
      }
    })
    held = []
    items = []
    waiting.clear()
    heldBytes = 0
  }

  return {
    take: (raw) => {
      const { item } = raw
      const answer = new ReceivedAnswer(raw)
      item.answered?.(answer)
      if (isAccepted(item.key, answer)) return answer
      held.push(answer)
      items.push(item)
      const twin = item.key === undefined ? undefined : waiting.get(item.key)
      if (twin && answer.hasBody(twin.body)) {
        answer.shareBody(twin.body)
      } else {
        if (item.key !== undefined) waiting.set(item.key, answer)
        heldBytes += answer.body.length
      }
      if (heldBytes > mostHeld) checkHeld()
      return answer
    },
    finish: () => {
      checkHeld()
      const result = faults
      faults = noFaults()
      return result
    }
  }
}

/** @returns {Faults} */
function noFaults () {
  return { problems: [], wrong: 0, badStatus: 0 }
}

/** The answers that were accepted, by key, up to so many bytes; the oldest go first. */
function createMemory () {
  /** @type {Map<string, { signature: string, body: Buffer }>} */
  const accepted = new Map()
  let bytes = 0
  return {
    /** @param {string | undefined} key @param {ReceivedAnswer} answer */
    isAccepted: (key, answer) => {
      const known = key === undefined ? undefined : accepted.get(key)
      return known !== undefined && answer.hasBody(known.body) && known.signature === signatureOf(answer)
    },
    /** @param {string} key @param {LoadAnswer} answer */
    remember: (key, answer) => {
      bytes += answer.body.length - (accepted.get(key)?.body.length ?? 0)
      accepted.delete(key)
      accepted.set(key, { signature: signatureOf(answer), body: answer.body })
      for (const [oldest, { body }] of accepted) {
        if (bytes <= mostRemembered) break
        accepted.delete(oldest)
        bytes -= body.length
      }
    }
  }
}

/**
 * The body is put together when it is read: most are the same as one before, and copies of them would fill
 * the generator's time with garbage collection.
 *
 * @implements {LoadAnswer}
 */
class ReceivedAnswer {
  /** @type {Buffer[]} */
  #chunks

  /** @param {RawAnswer} raw */
  constructor ({ status, rawHeaders, chunks, sentAt, receivedAt }) {
    this.#chunks = chunks
    this.status = status
    this.headers = joinHeaders(rawHeaders)
    this.setCookie = headerValues(rawHeaders, 'set-cookie')
    this.sentAt = sentAt
    this.receivedAt = receivedAt
    this.elapsedMs = receivedAt - sentAt
  }

  get body () {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]
  }

  text () {
    return this.body.toString()
  }

  cookies () {
    return this.setCookie.map(parseCookie)
  }

  json () {
    return JSON.parse(this.text())
  }

  /** Are these the very same bytes? @param {Buffer} body */
  hasBody (body) {
    let from = 0
    for (const chunk of this.#chunks) {
      const to = from + chunk.length
      if (to > body.length || (chunk !== body && body.compare(chunk, 0, chunk.length, from, to) !== 0)) return false
      from = to
    }
    return from === body.length
  }

  /** Let go of these bytes and keep the very same ones of another answer. @param {Buffer} body */
  shareBody (body) {
    this.#chunks = [body]
  }
}

/** Takes any answer. @type {ReturnType<typeof createVerifier>} */
export const noVerifier = {
  take: (raw) => new ReceivedAnswer(raw),
  finish: noFaults
}

/** @param {Item} item @param {LoadAnswer} answer */
function judge (item, answer) {
  try {
    return item.check(answer)
  } catch (error) {
    return `the answer doesn’t have the shape that it should have (${error.message}).`
  }
}

/** @param {LoadAnswer} answer */
function signatureOf ({ status, headers }) {
  return `${status}\n${compared.map((name) => headers[name] ?? '').join('\n')}`
}
