import { ContractError } from '../answer.js'
import { send, timeFor } from '../client.js'
import { rules } from '../../model-rules.js'

/**
 * What comes along on any port that is open to the world: no lesson's text speaks of it, servers answer it as they
 * like, and none dies of it.
 *
 * @import { Request } from '../client.js'
 * @import { Operation, Surroundings } from './operation.js'
 */

/** @type {Record<string, string>[]} */
const headers = [
  { cookie: 'a=50%; b; =' },
  { 'accept-language': ';;q=x' },
  { 'if-none-match': '"' },
  { 'accept-encoding': 'gzip;q=x, ,*' },
  { range: 'bytes=9-1' },
  { authorization: 'Bearer' }
]

/** @type {Request[]} */
const requests = [
  ...['//', '//x', '/%', '/%zz', '/?%', '/..', '/%cc', '/?=&=='].map((path) => ({ path })),
  ...headers.map((headers) => ({ path: '/', headers }))
]

/** All of them once in each sequence. @type {Operation} */
export const stray = {
  rule: rules.stray,
  weight: 0.01,
  draw: ({ random }) => {
    const shuffled = random.shuffle(requests)
    return {
      says: 'the answers to unexpected requests',
      look: async (server) => {
        for (const request of shuffled) {
          const failure = await failureOf(server, request)
          if (failure) return failure
        }
        return 'one to each'
      }
    }
  }
}

/** @param {Surroundings} server @param {Request} request */
async function failureOf (server, request) {
  try {
    await send(server.origin, request, timeFor(server))
    return null
  } catch (error) {
    if (error instanceof ContractError) return error.message
    throw error
  }
}
