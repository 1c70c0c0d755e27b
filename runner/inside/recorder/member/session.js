import { Session } from 'node:inspector/promises'

/** @type {Session | undefined} */
let session

/**
 * One inspector session of this thread with itself, opened when it is first needed: it opens no port.
 *
 * @param {string} method @param {object} [params]
 * @returns {Promise<any>}
 */
export async function post (method, params) {
  if (!session) {
    session = new Session()
    session.connect()
  }
  return await /** @type {any} */ (session).post(method, params)
}
