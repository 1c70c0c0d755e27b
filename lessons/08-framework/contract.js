import { setTimeout as sleep } from 'node:timers/promises'
import { sidOf } from './reference.js'

/**
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { Session } from './reference.js'
 */

/** @type {Check[]} */
export const contract = [
  {
    // Two servers that are asked at the same moment may see another time: this one is judged by the clock alone.
    name: 'lets a session in until it expires, and no longer',
    when: ['before'],
    run: async ({ get, data }) => {
      const endOf = (/** @type {Session} */ { expiresAt }) => Date.parse(expiresAt)
      const session = data.brief.find((/** @type {Session} */ one) => endOf(one) > Date.now() + 400)
      if (session === undefined) return
      const headers = { Cookie: `sid=${sidOf(session, data.config.sessionSecret)}` }
      const early = await get('/me', { headers })
      if (Date.now() < endOf(session)) early.expectStatus(200)
      await sleep(endOf(session) + 100 - Date.now())
      const late = await get('/me', { headers })
      if (late.status !== 401) late.fail(`the session of the cookie has expired: expected 401, got ${late.status}`)
    }
  }
]
