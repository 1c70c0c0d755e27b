import { sayingJson } from '../form/kinds.js'
import { anyUser, logIn, refusals } from '../shared/logins.js'
import { accessProblem, loginProblem, userIn } from './answers.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 */

// Their flags are checked with their values; the text promises nothing else of a cookie.
const headers = [{ name: 'set-cookie', read: namesOf }]
/** Whose refresh token a step redeems. @type {WeakMap<object, Step>} */
const loginOf = new WeakMap()

/** @type {Record<string, Operation>} */
export const operations = {
  healthz: { rule: 'answers GET /healthz with {"status":"ok"}', draw: () => ({ path: '/healthz' }) },
  login: {
    rule: 'answers 200 to the right password, with new tokens and their lifetimes',
    effect: 'gives every login its own tokens, and refuses a wrong password even after a right one',
    touches: ['wrong'],
    weight: 4,
    headers,
    meaning: (answer, { data }) => whose(answer, data, loginProblem),
    draw: ({ random, data }) => ({ ...logIn(anyUser(random, data)), headers: sayingJson(random) })
  },
  renew: {
    rule: 'honours a refresh token',
    effect: 'honours a refresh token once',
    touches: [],
    weight: 5,
    headers,
    loose: true,
    meaning: (answer, { data }) => whose(answer, data, accessProblem),
    draw: ({ random, past }) => {
      const logins = past('login')
      if (logins.length === 0) return null
      const [last] = past('renew').slice(-1)
      // Now and then the last one again, even at the same moment; otherwise rather an old one.
      const old = logins[Math.floor(random.next() ** 2 * logins.length)]
      const login = (last && random.next() < 0.3 ? loginOf.get(last.asked) : undefined) ?? old
      const others = random.shuffle(otherCookies).slice(0, random.int(0, 3))
      const at = random.int(0, others.length)
      const asked = (/** @type {(step: Step) => Answer} */ answerOf) => {
        const cookie = refreshCookie(answerOf(login))
        return cookie === '' ? null : redeem(others.toSpliced(at, 0, cookie).join('; '))
      }
      loginOf.set(asked, login)
      return asked
    }
  },
  foreign: {
    rule: 'answers 401 to a refresh token that it didn’t give out',
    loose: true,
    draw: ({ random }) => random.next() < 0.3 ? { method: 'POST', path: '/token' } : redeem(foreignToken(random))
  },
  ...refusals
}

/** What a browser may send with it: other servers of the same site set whatever cookies they like. */
export const otherCookies = [
  'theme=dark', 'access_token=e30.e30.e30', 'sale=50%', 'from=%zz%E0%A4%A', `last=a=b=${'x'.repeat(2000)}`,
  'old_refresh_token=e30', 'x.refresh_token=e30', 'refresh_token_2=e30', 'Refresh_Token=e30', 'accepted',
  '__proto__=e30', 'seen="1, 2"'
]

/** As a browser sends it back, letter by letter; '' without one. @param {{ headers: Record<string, string> }} answer */
export function refreshCookie ({ headers }) {
  return /refresh_token=[^;]+/.exec(headers['set-cookie'])?.[0] ?? ''
}

/** @param {string} cookie */
export function redeem (cookie) {
  return { method: 'POST', path: '/token', headers: { cookie } }
}

/** @param {unknown} _ @param {Answer} answer */
function namesOf (_, { cookies }) {
  return cookies.map(({ name }) => name).sort()
}

/** @param {Random} random */
function foreignToken (random) {
  return `refresh_token=${random.pick([random.bytes(128).toString('hex'), random.word(20), '__proto__', 'undefined'])}`
}

/**
 * Everything except the user is new for each answer, and checked here.
 *
 * @param {Answer} answer
 * @param {any} data
 * @param {typeof loginProblem} problemOf
 */
function whose (answer, data, problemOf) {
  const user = userIn(answer, data)
  const problem = problemOf(answer, user, data.config)
  if (problem !== undefined) throw new Error(problem)
  return user?.email
}
