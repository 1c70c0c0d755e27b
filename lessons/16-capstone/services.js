import { answered } from '../shared/log-file.js'
import { callsOf, offerProblem } from './shop.js'
import { filmOf } from './requests.js'

/**
 * What becomes of the services while the shop is asked, and what they were asked.
 *
 * @import { FormOperation } from '../form/types.js'
 * @import { Step } from '../../runner/lesson/index.js'
 */

const fails = 'answers 502 with the name of the service that failed'
const faults = [{ status: 404 }, { reset: true }, { status: 429 }, { status: 503 }]
const recovers = 'calls a service again after it has failed'

/** @param {(name: string) => Step[]} past */
function isFailing (past) {
  return past(fails).length > past(recovers).length
}

/** @type {Record<string, FormOperation>} */
export const services = {
  [fails]: {
    effect: fails,
    touches: ['GET /films/:id', 'GET /films/:id', recovers],
    weight: 0.7,
    draw: ({ random, past }) => {
      const [service, fault] = [random.pick(['prices', 'stock']), faults[past(fails).length % faults.length]]
      return isFailing(past)
        ? null
        : {
            act: ({ upstream }) => upstream?.reset([{ path: `/${service}`, ...fault }]),
            says: `the service ${service} begins to fail: ${JSON.stringify(fault)}`
          }
    }
  },
  [recovers]: {
    effect: recovers,
    touches: ['GET /films/:id'],
    weight: 0.01,
    draw: ({ past }) => isFailing(past)
      ? { act: ({ upstream }) => upstream?.reset(), says: 'both services have recovered' }
      : null
  },
  'calls both services for every film page, once each, and for nothing else': {
    weight: 2.5,
    draw: ({ data, past }) => (answerOf) => {
      const asked = answered(past('GET /films/:id'), answerOf)
      // While one service fails, the other may be asked or not.
      const failed = asked.filter(({ answer }) => answer.status === 502).map(({ step }) => `/${filmOf(step)}`)
      const pages = asked.filter(({ answer }) => answer.status === 200)
        .map(({ step, answer }) => ({ film: filmOf(step), page: answer.json() }))
      const problems = pages.flatMap(({ film, page }, at) =>
        offerProblem(data, film, page, at > 0 ? callsOf(pages[at - 1].page) : undefined) ?? [])
      return asked.length === 0
        ? null
        : {
            look: async ({ upstream }) => {
              const paths = (await upstream?.calls() ?? []).map(({ path }) => path)
              return { calls: paths.filter((path) => !failed.some((end) => path.endsWith(end))).sort(), problems }
            },
            says: 'which calls the services got'
          }
    }
  }
}
