/**
 * The one list of what counts as a secret: in reports, which others read, and in what is imported from logs and HAR
 * files. Whatever a stranger writes into a log is looked through in linear time. Pure.
 */

/** Of a name, wherever it has it: `X-Auth`, but not `author`. */
const part = new RegExp('auth(?!ors?$)|cookie|token|secret|passw|passphrase|passcode|pwd|kennwort|contrase|session|' +
  'sessid|signature|saml|hmac|nonce|assertion|credential|bearer|jwt|csrf|xsrf|(api|private|access)key|cardnumber', 'i')
/** A whole word of a name: `privateKey`, `x-otp`, but not `monkey`. */
const word = /^(key|sig|otp|totp|pin|pass|passe|senha|sid|ticket|hash|access|verifier|cvv|cvc|iban|ssn)$/i
/** The whole name: others, such as `statusCode`, are no secrets. */
const whole = /^code$/i
/** Headers whose values say how an answer is sent, and not to whom. */
const plainHeaders = new RegExp('^(accept(-.*)?|allow|cache-control|connection|' +
  'content-(encoding|language|length|type)|etag|expires|host|' +
  'if-(match|none-match|(un)?modified-since)|last-modified|location|range|vary)$', 'i')
/** A JSON Web Token (RFC 7519), or the start of one; tokens that say by their beginning whose they are. */
const tokens = new RegExp('(?<![\\w-])(eyJ[\\w-]{5,}\\.[\\w-]+(\\.[\\w-]*)?|' +
  '(xox[abeoprs]-|gh[opsru]_|github_pat_|glpat-|[prs]k_(live|test)_|AKIA|AIza)[\\w-]{5,})', 'g')
/** In a query, or a form. */
const pair = /([?&;]|^)([^?&;=\s'"/]{1,100})=([^&;#\s'"]*)/g
/** What follows it in a path is often for one person, and once. */
const once = /^(reset|verify|confirm|activate|invite|unsubscribe|magic|login|signin|share|auth|token|otp|callback)/i
/** So long that nobody types it, and no slug or number: an upper and a lower case letter and a digit, or a hash. */
const random = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w~.-]{20,200}$|^[\da-f]{32,200}$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** @param {string} name of a header, a field or a parameter, or its place in a body: `items[3].authToken` */
export function isSecret (name) {
  return name.split(/[.[\]]+/).some((key) => whole.test(key) ||
    key.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/).some((one) => part.test(one) || word.test(one)))
}

/** May a report show the value of this header? @param {string} name */
export function isPlainHeader (name) {
  return plainHeaders.test(name)
}

/** @param {string} text a sentence, a path, a line for a shell @returns {string} with … instead of secrets */
export function withoutSecrets (text) {
  return text
    .replace(tokens, '…')
    .replace(pair, (all, before, name, value) => value !== '' && isSecret(decoded(name)) ? `${before}${name}=…` : all)
    .replace(/\/[^\s?#'"]+/g, (path) => path.split('/').map((one, at, parts) =>
      isToken(one, parts[at - 1]) ? '…' : one).join('/'))
}

/** @param {string} part of a path @param {string} [before] the one before it */
function isToken (part, before = '') {
  if (uuid.test(part)) return once.test(before)
  return random.test(part) || (once.test(before) && /\d/.test(part) && part.length >= 6)
}

/** @param {string} text of a query or a form */
function decoded (text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** In quotes, as in JSON and in multipart; or before a sign, as in a form, XML and GraphQL. */
const named = /"([^"\\\n]{1,100})"|([\w$.-]{1,100})\\{0,4}["']?\s{0,3}[:=>]/g

/**
 * Does a body of any kind hold a secret, by the names of its fields or by its looks?
 *
 * @param {unknown} body text, or what JSON means
 * @returns {boolean}
 */
export function isSecretBody (body) {
  if (typeof body === 'object' && body !== null) {
    return Object.entries(body).some(([key, value]) =>
      (!Array.isArray(body) && isSecret(key)) || isSecretBody(value))
  }
  if (typeof body !== 'string') return false
  try {
    const value = JSON.parse(body)
    if (typeof value === 'object') return isSecretBody(value)
  } catch {}
  // Whatever else it is, or JSON that is cut.
  return withoutSecrets(body) !== body ||
    [...body.matchAll(named)].some(([, quoted, plain]) => isSecret(quoted ?? plain))
}
