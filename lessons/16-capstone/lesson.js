import { createModel, form } from '../form/index.js'
import { inherited, oddNumbers } from '../form/kinds.js'
import { answersOf, countDrawn } from '../shared/answers.js'
import { comparesInUnequalTime } from '../shared/hashing.js'
import { refusals } from '../shared/logins.js'
import { contract } from './contract.js'
import { filmOf, makeReview, makeText, named, pickUser, searchFor } from './requests.js'
import { routes } from './routes.js'
import { answerCalls, bearing, connections, filesOf, makeShop, newModel, offerProblem, tokenOf } from './shop.js'

const elsewhere = 'answers 404 elsewhere, and for a film that does not exist'
const fails = 'answers 502 with the name of the service that failed'
const recovers = 'calls a service again after it has failed'
const faults = [{ status: 404 }, { reset: true }, { status: 429 }, { status: 503 }]
const isFailing = (/** @type {(name: string) => unknown[]} */ past) => past(fails).length > past(recovers).length

export default form({
  id: 'capstone',
  title: 'Capstone',
  part: 'As in production',
  summary:
    'A small shop is slow in more than one way, and you find out where. Bronze, silver or gold: decide how far you go.',

  data: makeShop,
  files: filesOf,
  upstream: answerCalls,

  routes,
  operations: {
    [elsewhere]: {
      weight: 1.5,
      least: 6,
      draw: ({ random, data, past }) => {
        const [count, odd] = [countDrawn(past(elsewhere)), oddNumbers(random)]
        const films = ['9999', random.pick(inherited), odd[1], ...odd, random.word(5)]
        const film = `/films/${films[count % films.length]}`
        // A token that's good gets a review no further.
        const headers = bearing(tokenOf(pickUser(random, data), data))
        return [
          { path: `${film}/reviews`, method: 'POST', json: makeReview(random), headers },
          { path: film },
          { path: random.pick([`${film}/reviews`, `/${random.word(6)}`]) }
        ][count % 3]
      }
    },
    wrong: refusals.wrong,
    damaged: refusals.damaged,
    [fails]: {
      touches: ['GET /films/:id', 'GET /films/:id', recovers],
      weight: 0.7,
      draw: ({ random, past }) => {
        const service = random.pick(['prices', 'stock'])
        if (isFailing(past)) return null
        const fault = faults[past(fails).length % faults.length]
        return {
          act: ({ upstream }) => upstream?.reset([{ path: `/${service}`, ...fault }]),
          says: `the service ${service} begins to fail: ${JSON.stringify(fault)}`
        }
      }
    },
    [recovers]: {
      touches: ['GET /films/:id'],
      weight: 0.01,
      draw: ({ past }) => isFailing(past)
        ? { act: ({ upstream }) => upstream?.reset(), says: 'both services have recovered' }
        : null
    },
    'calls both services for every film page, once each, and for nothing else': {
      weight: 2.5,
      draw: ({ data, past }) => (answerOf) => {
        const asked = answersOf(past('GET /films/:id'), answerOf)
          .map(({ step, answer }) => ({ film: filmOf(step), answer }))
        if (asked.length === 0) return null
        // While one service fails, the other may be asked or not.
        const failed = asked.filter(({ answer }) => answer.status === 502).map(({ film }) => `/${film}`)
        const pages = asked.filter(({ answer }) => answer.status === 200)
          .map(({ film, answer }) => ({ film, page: answer.json() }))
        const problems = pages.flatMap(({ film, page }, at) =>
          offerProblem(data, film, page, pages[at - 1]?.page) ?? [])
        return {
          look: async ({ upstream }) => {
            const paths = (await upstream?.calls() ?? []).map(({ path }) => path)
            return { calls: paths.filter((path) => !failed.some((end) => path.endsWith(end))).sort(), problems }
          },
          says: 'which calls the services got'
        }
      }
    }
  },
  logged: {
    ids: named,
    path: ({ random, data }) => `/search?${searchFor(random, makeText(random, data), random.int(1, 20))}`,
    half: { method: 'POST', path: '/login' },
    weight: 2.5
  },
  sequence: { steps: 100 },
  contract,
  knownToFail: [{ check: 'keeps secrets out of the log', why: 'It logs all headers, and with them the tokens.' }],
  promised: {
    'counts each of many reviews, sent at the same time':
      'An acknowledged review is visible in the next list and in the next report.',
    'takes reviews only with a valid token': 'needs Authorization: Bearer TOKEN, else 401',
    'refuses an expired token': 'A token is only as good as its signature, and worth nothing after its hour.',
    'answers as before after many failures':
      '502 {"error":"upstream_failed","service":"prices"} when a service fails',
    'calls a service again after it has failed':
      'Prices and stock change all the time. Each page calls both services, once each, for itself.',
    'calls both services for every film page, once each, and for nothing else':
      "Each page calls both services, once each, for itself. For a film that doesn't exist, no service is called.",
    'keeps secrets out of the log': 'It contains no tokens and no passwords.'
  },

  model: ({ data }) => ({ ...createModel(data), ...newModel(data) }),
  loads: {
    shop: {
      // As the text publishes it.
      mix: {
        'GET /films/:id': 16,
        'GET /search?text=&limit=': 14,
        'GET /films gzip': 7,
        'GET /films/:id/reviews': 6,
        'POST /films/:id/reviews': 3,
        'takes reviews only with a valid token': 1,
        'GET /report': 2,
        'POST /login': 1
      },
      connections,
      sliceMs: 500,
      sliceAnswers: 50,
      alongside: { 'GET /healthz': 60 }
    },
    // Hashing is native code: it is warm from the start.
    logins: { mix: { 'POST /login': 1 }, connections, sliceAnswers: 10, warmUpMs: 200 }
  },

  gates: {
    shop: {
      rate: { bronze: 1.8, silver: 3, gold: 4.8 },
      look: 'Which route has the largest share of the server’s time: its share of the requests, times what one of ' +
        'them costs? Begin there, and measure again after each change.'
    },
    'healthz under load': {
      kind: 'latency',
      percentile: 90,
      target: 1.5,
      look: '/healthz takes next to no work. Which request blocks the event loop for so long that the others wait?'
    },
    'work of a login': {
      kind: 'work',
      load: 'logins',
      target: 0.7,
      look: 'A login costs what its hash costs, on whatever thread. Which part of that work is no longer done?'
    }
  },

  sourceHints: [
    comparesInUnequalTime,
    {
      pattern: /rejectUnauthorized\s*:\s*false|algorithms\s*:\s*\[[^\]]*none/i,
      warning: 'A check of signatures or certificates is switched off. That’s fast, and it’s a security hole.'
    }
  ],

  mechanism: { expected: 'CPU time for a request of the mix falls', load: 'shop', cpuPerRequest: 'falls' }
})
