import { headerValues, joinHeaders } from '../headers.js'
import { label } from './closed-loop.js'

/**
 * @typedef {import('./closed-loop.js').RawAnswer} RawAnswer
 * @typedef {import('./closed-loop.js').Problem} Problem
 * @typedef {import('../catalogue/lesson.js').LoadAnswer} LoadAnswer
 */

/** Answers that wait for their check may hold this many bytes. */
const mostHeld = 48 * 1024 * 1024
/** Accepted bodies that are remembered, in bytes. */
const mostRemembered = 12 * 1024 * 1024
const mostProblems = 20
/** What makes two answers of the same key the same answer, beside status and bytes. */
const compared = ['content-type', 'content-length', 'content-encoding', 'etag', 'cache-control', 'vary', 'location', 'set-cookie']

/**
 * Checks every answer of a slice, as far as possible after it: while the load runs the generator's core is for the load.
 *
 * @returns {{ take: (raw: RawAnswer) => LoadAnswer, finish: () => { problems: Problem[], wrong: number, badStatus: number } }}
 *   wrong: answers with any fault; badStatus: those of them with a status of 400 or more
 */
export function createVerifier () {
  /** @type {LoadAnswer[]} */
  let held = []
  /** @type {import('../catalogue/lesson.js').Item[]} */
  let items = []
  let heldBytes = 0
  /** @type {Map<string, { signature: string, body: Buffer }>} */
  const accepted = new Map()
  let acceptedBytes = 0
  /** @type {Problem[]} */
  let problems = []
  let wrong = 0
  let badStatus = 0

  const remember = (/** @type {string} */ key, /** @type {LoadAnswer} */ answer) => {
    acceptedBytes += answer.body.length - (accepted.get(key)?.body.length ?? 0)
    accepted.delete(key)
    accepted.set(key, { signature: signatureOf(answer), body: answer.body })
    for (const [oldest, { body }] of accepted) {
      if (acceptedBytes <= mostRemembered) break
      accepted.delete(oldest)
      acceptedBytes -= body.length
    }
  }
  const isAccepted = (/** @type {string | undefined} */ key, /** @type {LoadAnswer} */ answer) => {
    const known = key === undefined ? undefined : accepted.get(key)
    return known !== undefined && known.body.equals(answer.body) && known.signature === signatureOf(answer)
  }
  const checkHeld = () => {
    held.forEach((answer, i) => {
      const item = items[i]
      if (isAccepted(item.key, answer)) return
      const message = judge(item, answer)
      if (message === undefined) {
        if (item.key !== undefined) remember(item.key, answer)
        return
      }
      wrong++
      if (answer.status >= 400) badStatus++
      if (problems.length < mostProblems) problems.push({ kind: answer.status >= 400 ? 'status' : 'mismatch', message: `${label(item)}: ${message}` })
    })
    held = []
    items = []
    heldBytes = 0
  }

  return {
    take: (raw) => {
      const answer = readable(raw)
      raw.item.answered?.(answer)
      if (isAccepted(raw.item.key, answer)) return answer
      held.push(answer)
      items.push(raw.item)
      heldBytes += answer.body.length
      if (heldBytes > mostHeld) checkHeld()
      return answer
    },
    finish: () => {
      checkHeld()
      const result = { problems, wrong, badStatus }
      problems = []
      wrong = 0
      badStatus = 0
      return result
    }
  }
}

/** Takes any answer. @type {ReturnType<typeof createVerifier>} */
export const noVerifier = { take: readable, finish: () => ({ problems: [], wrong: 0, badStatus: 0 }) }

/** @param {import('../catalogue/lesson.js').Item} item @param {LoadAnswer} answer */
function judge (item, answer) {
  try {
    return item.check(answer)
  } catch (error) {
    return `the answer has not the shape that it should have (${error.message}).`
  }
}

/** @param {RawAnswer} raw @returns {LoadAnswer} */
function readable ({ status, rawHeaders, chunks, sentAt, receivedAt }) {
  const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  return {
    status,
    headers: joinHeaders(rawHeaders),
    setCookie: headerValues(rawHeaders, 'set-cookie'),
    body,
    text: () => body.toString(),
    json: () => JSON.parse(body.toString()),
    sentAt,
    receivedAt,
    elapsedMs: receivedAt - sentAt
  }
}

/** @param {LoadAnswer} answer */
function signatureOf ({ status, headers }) {
  return `${status}\n${compared.map((name) => headers[name] ?? '').join('\n')}`
}
