import { createHash, createHmac } from 'node:crypto'

/**
 * What a right answer looks like: written for the checks, and apart from the slow server.
 *
 * @typedef {{ id: number, name: string, category: string, price: number, stock: number, description: string }} Item
 * @typedef {{ id: string, user: { id: string, name: string, email: string }, expiresAt: string, seen: string, cart:
 *   object[] }} Session
 * @typedef {{ key: string, enabled: boolean, rollout: number }} Flag
 */

export const categories = ['kitchen', 'living', 'garden', 'office', 'travel']

/** @type {Record<string, Record<string, string>>} by language and code; English where one is missing */
export const messages = {
  en: {
    route_not_found: 'There is nothing at this address.',
    item_not_found: 'There is no such item.',
    invalid_query: 'The search cannot be understood.',
    invalid_json: 'The body is not valid JSON.',
    invalid_item: 'This item cannot be stored.',
    body_too_large: 'The body is too large.',
    unsupported_media_type: 'Send the item as JSON.',
    not_signed_in: 'Please sign in.',
    bad_request: 'The request cannot be understood.',
    internal_error: 'Something went wrong here.'
  },
  de: {
    route_not_found: 'Unter dieser Adresse gibt es nichts.',
    item_not_found: 'Diesen Artikel gibt es nicht.',
    invalid_query: 'Die Suche ist unverständlich.',
    invalid_json: 'Das ist kein gültiges JSON.',
    invalid_item: 'Dieser Artikel lässt sich nicht speichern.',
    body_too_large: 'Das ist zu viel auf einmal.',
    not_signed_in: 'Bitte melden Sie sich an.',
    bad_request: 'Die Anfrage ist unverständlich.',
    internal_error: 'Hier ist etwas schiefgegangen.'
  },
  fr: {
    route_not_found: 'Il n’y a rien à cette adresse.',
    item_not_found: 'Cet article n’existe pas.',
    invalid_query: 'La recherche est incompréhensible.',
    invalid_json: 'Ce n’est pas du JSON valide.',
    invalid_item: 'Cet article ne peut pas être enregistré.',
    body_too_large: 'Le contenu est trop volumineux.',
    unsupported_media_type: 'Envoyez l’article en JSON.',
    not_signed_in: 'Veuillez vous connecter.',
    bad_request: 'La requête est incompréhensible.',
    internal_error: 'Une erreur s’est produite ici.'
  },
  es: {
    route_not_found: 'No hay nada en esta dirección.',
    item_not_found: 'Este artículo no existe.',
    invalid_query: 'La búsqueda no se entiende.',
    invalid_json: 'Esto no es JSON válido.',
    invalid_item: 'Este artículo no se puede guardar.',
    body_too_large: 'El contenido es demasiado grande.',
    unsupported_media_type: 'Envíe el artículo como JSON.',
    not_signed_in: 'Inicie sesión, por favor.',
    bad_request: 'La solicitud no se entiende.',
    internal_error: 'Algo ha fallado aquí.'
  },
  ja: {
    route_not_found: 'このアドレスには何もありません。',
    item_not_found: 'この商品はありません。',
    invalid_query: '検索条件が正しくありません。',
    invalid_json: '正しいJSONではありません。',
    body_too_large: 'データが大きすぎます。',
    not_signed_in: 'ログインしてください。',
    bad_request: 'リクエストが正しくありません。',
    internal_error: 'エラーが発生しました。'
  }
}

export const languages = Object.keys(messages)

/** Every answer has these, errors and preflight answers included. */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-site'
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const duration = /^\d+\.\d{3}ms$/

/**
 * What is wrong with the headers that every answer has, as a sentence; undefined when nothing is.
 *
 * @param {{ headers: Record<string, string>, elapsedMs: number }} answer
 * @param {{ requestId?: string, language: string }} expected requestId: the one that the client gave, if any
 */
export function wrongHeaders ({ headers, elapsedMs }, { requestId, language }) {
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (headers[name] !== value) {
      return `the security header ${name} is ${headers[name] ?? 'missing'}, expected ${value}`
    }
  }
  if (headers['x-powered-by'] !== undefined) return 'the header X-Powered-By tells what the server is made of'
  const id = headers['x-request-id']
  if (requestId === undefined && !uuid.test(id ?? '')) return `expected a UUID as X-Request-Id, got ${id ?? 'none'}`
  if (requestId !== undefined && id !== requestId) {
    return `expected the client’s own X-Request-Id ${requestId}, got ${id ?? 'none'}`
  }
  const took = headers['x-response-time'] ?? 'none'
  if (!duration.test(took)) return `expected X-Response-Time like 1.234ms, got ${took}`
  if (parseFloat(took) > elapsedMs + 10) {
    return `X-Response-Time is ${took}, but the whole exchange took ${elapsedMs.toFixed(1)} ms`
  }
  if (headers['content-language'] !== language) {
    return `expected Content-Language ${language}, got ${headers['content-language'] ?? 'none'}`
  }
  const vary = tokens(headers.vary)
  const missing = ['origin', 'accept-language'].find((name) => !vary.includes(name))
  if (missing) return `the header Vary does not name ${missing}: a cache would hand this answer to the wrong client`
}

/**
 * What is wrong with the CORS headers.
 *
 * @param {{ headers: Record<string, string> }} answer
 * @param {{ origin?: string, allowed?: boolean }} expected
 */
export function wrongCors ({ headers }, { origin, allowed = false }) {
  const got = headers['access-control-allow-origin']
  if (!allowed) {
    return got === undefined
      ? undefined
      : `answered Access-Control-Allow-Origin: ${got} to ${origin ?? 'a request without an origin'}`
  }
  if (got !== origin) return `expected Access-Control-Allow-Origin: ${origin}, got ${got ?? 'none'}`
  if (headers['access-control-allow-credentials'] !== 'true') return 'expected Access-Control-Allow-Credentials: true'
  const exposed = tokens(headers['access-control-expose-headers'])
  const hidden = ['x-request-id', 'x-response-time'].find((name) => !exposed.includes(name))
  if (hidden) return `Access-Control-Expose-Headers does not name ${hidden}`
}

/** The parts of a header that is a list, in lower case. @param {string | undefined} value */
export function tokens (value) {
  return (value ?? '').toLowerCase().split(',').map((token) => token.trim())
}

/**
 * @param {Session} session
 * @param {string} secret
 * @returns {string} the value of the cookie `sid`
 */
export function sidOf ({ id }, secret) {
  return `${id}.${createHmac('sha256', secret).update(id).digest('base64url')}`
}

/** @param {Session} session */
export function hasExpired ({ expiresAt }) {
  return expiresAt < '2030'
}

/**
 * @param {Session} session
 * @param {Flag[]} flags
 */
export function meOf ({ user }, flags) {
  const features = flags
    .filter(
      ({ key, enabled, rollout }) =>
        enabled && createHash('sha256').update(`${key}:${user.id}`).digest().readUInt32BE(0) % 100 < rollout
    )
    .map(({ key }) => key)
  return { id: user.id, name: user.name, email: user.email, features }
}

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map()

/**
 * @param {Item} item
 * @param {string} language
 */
export function shown (item, language) {
  const format = formats.get(language) ?? new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' })
  formats.set(language, format)
  return { ...item, priceText: format.format(item.price) }
}

/**
 * @param {string} code
 * @param {string} language
 * @param {string} requestId
 * @param {string[]} [fields]
 */
export function errorBody (code, language, requestId, fields) {
  return { error: { code, message: messages[language][code] ?? messages.en[code], requestId, fields } }
}
