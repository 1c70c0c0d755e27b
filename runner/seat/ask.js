import { WorkshopError } from '../errors.js'
import { answerOf, readJsonAnswer } from './read-answer.js'

/**
 * @import { Answer } from './read-answer.js'
 *
 * @template [Read=Answer]
 * @param {{ url: string | null, token?: string }} seat
 * @param {string} method
 * @param {string} place `api/seat`
 * @param {{ body?: unknown, signal?: AbortSignal, read?: (json: any) => Read | null }} [options] read: null: no room
 *   answers like this
 * @returns {Promise<Read>}
 * @throws {WorkshopError} with the HTTP status, if the room has answered
 */
export async function askRoom ({ url, token }, method, place, { body, signal, read } = {}) {
  const response = await fetch(new URL(place, url ?? undefined), {
    method,
    headers: { 'Content-Type': 'application/json', ...token ? { Authorization: `Bearer ${token}` } : {} },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: 'error',
    signal
  }).catch((error) => {
    throw new WorkshopError(`The room at ${url} doesn’t answer: are you on its network, and is the room open?`,
      { cause: error })
  })
  const json = await readJsonAnswer(response)
  const answer = response.ok ? (read ?? answerOf)(json) : null
  if (answer !== null) return /** @type {Read} */ (answer)
  const said = typeof json?.error === 'string' ? json.error : `There’s no room at ${url}: check the address.`
  throw Object.assign(new WorkshopError(said), { status: response.status })
}
