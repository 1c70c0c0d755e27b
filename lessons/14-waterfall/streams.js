import { headProblem } from '../shared/answers.js'
import { inMix } from '../shared/batches.js'
import { askFor, newRequestId } from './operations.js'
import { pageProblem } from './pages.js'

/** @import { Item, Stream } from '../../runner/lesson/index.js' */

const requestMix = [...Array(34).fill('page'), ...Array(5).fill('page without an id'), 'missing']

/** Pages of random users, nearly all with a request id from the client. @type {Stream} */
export function pages ({ random, data }) {
  // The first request of a load is also the example that `serve` shows.
  const next = inMix(random, requestMix, ['page'])
  return () => {
    const kind = next()
    if (kind === 'missing') return requestMissing(`u-${random.word(11)}`)
    const { id } = random.pick(data.users)
    return requestPage(data, id, kind === 'page' ? newRequestId(random) : undefined)
  }
}

/** @param {any} data @param {string} userId @param {string | undefined} requestId @returns {Item} */
function requestPage (data, userId, requestId) {
  return {
    ...askFor(userId, requestId),
    check: (answer) => {
      if (answer.status !== 200) return `expected status 200, got ${answer.status} ${answer.text().slice(0, 80)}`
      const wrongType = headProblem(answer)
      if (wrongType) return wrongType
      if (answer.headers['cache-control'] !== 'no-store') {
        return `expected Cache-Control: no-store, got ${answer.headers['cache-control'] ?? 'none'}`
      }
      const said = answer.headers['x-request-id']
      if (!said || (requestId !== undefined && said !== requestId)) {
        return `expected X-Request-Id: ${requestId ?? 'an id'}, got ${said ?? 'none'}`
      }
      return pageProblem(data, said, userId, answer.json())
    }
  }
}

/** @param {string} userId @returns {Item} */
function requestMissing (userId) {
  return {
    ...askFor(userId),
    check: (answer) => {
      if (answer.status !== 404) return `expected status 404 for a user who does not exist, got ${answer.status}`
      if (answer.json()?.error !== 'not_found') {
        return `expected {"error":"not_found"}, got ${answer.text().slice(0, 80)}`
      }
    }
  }
}
