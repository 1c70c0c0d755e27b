import { askFor, newRequestId } from './operations.js'
import { pageProblem } from './pages.js'

/** @import { Item, LoadAnswer, Stream } from '../../runner/lesson/index.js' */

// A mix, not a draw for each request: slices hold few answers and should hold the same share of cheap ones.
const requestMix = [...Array(34).fill('page'), ...Array(5).fill('page without an id'), 'missing']

/** Pages of random users, nearly all with a request id from the client. @type {Stream} */
export function pages ({ random, data }) {
  // The first request of a load is also the example that `serve` shows.
  let kinds = ['page']
  return () => {
    if (kinds.length === 0) kinds = random.shuffle(requestMix)
    const kind = kinds.pop()
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
      if (!isJson(answer)) return `Content-Type is ${answer.headers['content-type'] ?? 'missing'}`
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

/** @param {LoadAnswer} answer */
function isJson ({ headers }) {
  return /^application\/json\b/i.test(headers['content-type'] ?? '')
}
