/**
 * Sessions in a cookie of this name, wherever a client may have it in its header.
 *
 * @import { Operation } from '../../runner/lesson/index.js'
 *
 * @typedef {(session: string) => Record<string, string>} Form
 */

/** @type {Form[]} */
export const cookieForms = [
  (session) => ({ cookie: `session=${session}` }),
  (session) => ({ cookie: `theme=dark; session=${session}` }),
  (session) => ({ cookie: `session=${session}; lang=de` })
]

/** Where it's no session. @type {Form[]} */
export const elsewhereForms = [
  (session) => ({ cookie: `my-session=${session}` }),
  (session) => ({ authorization: `Bearer ${session}` })
]

/**
 * What nobody was given, and careless code finds in an object, makes a path of, or reads a name in.
 *
 * @param {string} file of the server's DATA_DIR
 * @param {string[]} names of those who can log in
 */
export function strangeSessions (file, names) {
  const told = names.flatMap((name) => [name, JSON.stringify({ name })])
  const madeUp = told.flatMap((text) => /** @type {const} */ (['base64url', 'hex']).map((form) =>
    Buffer.from(text).toString(form)))
  return ['', 'constructor', '__proto__', `../${file}`, `..%2F${file}`, ...names, ...madeUp]
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
