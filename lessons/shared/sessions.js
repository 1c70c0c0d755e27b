/**
 * Sessions in a cookie of this name, wherever a client may have it in its header.
 *
 * @import { Operation } from '../../runner/lesson/index.js'
 *
 * @typedef {(session: string) => Record<string, string>} Form
 */

/** @param {string} session */
export const cookieOf = (session) => ({ cookie: `session=${session}` })

/** @type {Form[]} */
export const cookieForms = [
  cookieOf,
  (session) => ({ cookie: `theme=dark; session=${session}` }),
  (session) => ({ cookie: `session=${session}; lang=de` })
]

/**
 * Where it's no session, or no longer its own.
 *
 * @param {any[]} people who log in: each has a name, or begins with it
 * @returns {Form[]}
 */
export function elsewhereForms (people) {
  const names = people.map(({ name, 0: first }) => name ?? first)
  const other = (/** @type {string} */ name) => names[(names.indexOf(name) + 1) % names.length]
  return [
    (session) => {
      const name = names.find((one) => session.includes(one))
      return cookieOf(name === undefined ? 'another' : session.replace(name, other(name)))
    },
    (session) => ({ cookie: `my-session=${session}` }),
    (session) => ({ authorization: `Bearer ${session}` })
  ]
}

/**
 * What nobody was given, and careless code finds in an object, makes a path of, or reads a name in.
 *
 * @param {string} file of the server's DATA_DIR
 * @param {string} name of someone who can log in
 */
export function strangeSessions (file, name) {
  const madeUp = [name, JSON.stringify({ name })].map((text) => Buffer.from(text))
    .flatMap((text) => [text.toString('base64url'), text.toString('hex')])
  return ['', 'constructor', '__proto__', `../${file}`, `x/../${file}`, `..%2F${file}`, name, ...madeUp]
}

/**
 * A request with the session of a login, as it was given: what a client sends back it does not decode.
 *
 * @param {Parameters<Operation['draw']>[0]} given
 * @param {{ forms: Form[], request: { path: string, headers?: Record<string, string> } }} how
 * @returns {ReturnType<Operation['draw']>}
 */
export function withSession ({ random, past, about }, { forms, request }) {
  const logins = past('login')
  if (logins.length === 0) return null
  const login = about ?? random.pick(logins)
  const form = random.pick(forms)
  return (answerOf) => {
    const [, session] = /(?:^|, )session=([^;]+)/.exec(answerOf(login).headers['set-cookie'] ?? '') ?? []
    return session === undefined ? null : { ...request, headers: { ...request.headers, ...form(session) } }
  }
}
