import { languages, meOf, sidOf } from './shop.js'

/**
 * The clients: browsers, with all the headers that they send.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Clients } from '../form/types.js'
 * @import { Session } from './shop.js'
 */

const securityHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-site'
}
const [duration, uuid, fitId] = [/^\d+\.\d{3}ms$/, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, /^[\w-]{8,64}$/]

/** @param {string | undefined} list @param {string[]} names */
const hasAll = (list = '', names) => names.every((name) => list.toLowerCase().split(/\s*,\s*/).includes(name))

/** It counts only if the origin is allowed. @type {(name: string, ...parts: string[]) => Clients['headers'][number]} */
export const allowing = (name, ...parts) => ({
  name: `access-control-${name}`,
  read: (value, { headers }) => headers['access-control-allow-origin'] === undefined || hasAll(value, parts)
})

/** @type {Clients} */
export const clients = {
  draw: anyClient,
  sends: (request, { headers }, random) =>
    ({ ...request, headers: { ...headers, ...anyRequestId(random), ...request.headers } }),
  headers: [
    ...Object.keys(securityHeaders), 'x-powered-by', 'content-language', 'access-control-allow-origin',
    allowing('allow-credentials', 'true'),
    allowing('expose-headers', 'x-request-id', 'x-response-time'),
    { name: 'vary', read: (list) => hasAll(list, ['origin', 'accept-language']) },
    { name: 'x-request-id', read: (id = '') => uuid.test(id) ? 'a new UUID' : id },
    {
      name: 'x-response-time',
      read: (took = '', { elapsedMs }) => duration.test(took) && parseFloat(took) <= elapsedMs + 10 ? 'measured' : took
    }
  ],
  // An error names the id of its answer, which differs with each server.
  meaning: (answer) => {
    const { error, ...body } = answer.json()
    if (error === undefined) return body
    const { requestId, fields, ...rest } = error
    if (requestId !== answer.headers['x-request-id']) throw new Error('its requestId is not the answer’s X-Request-Id')
    return { ...body, error: { ...rest, ...(fields && { fields: [...fields].sort() }) } }
  },
  gets: ({ language, origin, isAllowed }, { headers: { 'X-Request-Id': id = '' } }) => ({
    ...securityHeaders,
    'content-language': language,
    ...isAllowed && {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'X-Request-Id, X-Response-Time'
    },
    vary: 'Accept-Language, Origin',
    'x-request-id': fitId.test(id) ? id : '00000000-0000-0000-0000-000000000000',
    'x-response-time': '0.000ms'
  }),
  wrong: ({ headers: { 'x-request-id': id } }, seen) => {
    if (seen.has(id)) return `the request id ${id} was given to another request before`
    if (id.length === 36) seen.add(id)
  }
}

/** A client with a wrong session, in each way once. */
export const strangers = Array.from({ length: 13 }, (_, way) => ({ by: { isKnown: false, way } }))

/** @param {{ random: Random, data: any, by?: { isKnown?: boolean, way?: number } }} given isKnown: signed in, or not */
function anyClient ({ random, data: { sessions, flags, config }, by: { isKnown = random.int(1, 4) > 1, way } = {} }) {
  const { header, language } = anyPreference(random)
  const { origin, isAllowed } = anyOrigin(random, config.allowedOrigins[0])
  const alive = sessions.filter((/** @type {Session} */ { expiresAt }) => expiresAt > '2100')
  // A few come often: what a server remembers about them is requested again.
  const session = random.pick(random.int(1, 3) > 1 ? alive.slice(0, 5) : alive)
  const sid = sidOf(session, config.sessionSecret)
  const value = isKnown
    ? random.pick([sid, sid, sid.replace('.', '%2E'), `"${sid}"`])
    : wrongSid(random, session, config.sessionSecret, sessions)[way ?? random.int(0, strangers.length - 1)]
  const cookie = value === undefined ? `xsid=${sid}` : `sid=${value}`
  const headers = Object.entries({
    ...header !== undefined && { 'Accept-Language': header },
    Accept: 'application/json',
    'User-Agent': `Shop/${random.int(1, 9)}.${random.int(0, 20)} (${random.word(7)})`,
    Cookie: random.pick([
      cookie,
      `theme=dark;${cookie}`,
      `a=b=c;  ${cookie}; last=%E0%A4%A`,
      `xsid=1.2; consent=${encodeURIComponent(JSON.stringify({ ads: false, id: random.word(8) }))}; ${cookie}; seen=1`
    ]),
    ...origin !== undefined && { Origin: origin }
  }).map(([name, value]) => [random.pick([name, name, name.toLowerCase(), name.toUpperCase()]), value])
  const me = isKnown ? meOf(session, flags) : null
  return { headers: Object.fromEntries(headers), language, origin, isAllowed, me }
}

/** @param {Random} random @param {Session} session @param {string} secret @param {Session[]} sessions */
function wrongSid (random, session, secret, sessions) {
  const sid = sidOf(session, secret)
  const at = session.id.length + random.int(2, 40)
  const gone = sidOf({ ...session, id: random.bytes(18).toString('base64url') }, secret)
  const expired = sidOf(random.pick(sessions.filter(({ expiresAt }) => expiresAt < '2020')), secret)
  return [
    ...[undefined, '', session.id, `${session.id}.`, sid.slice(0, -1), gone, expired, expired],
    `${sid.slice(0, at)}${sid[at] === 'A' ? 'B' : 'A'}${sid.slice(at + 1)}`,
    `${session.id}.${random.bytes(32).toString('base64url')}`,
    `${session.id}${gone.slice(session.id.length)}`,
    sidOf(session, `${secret}x`)
  ]
}

/** Ways to request each language, and some for which there are no texts. */
const tags = [
  ...['en en-GB en-US,en', 'de de-AT de-CH-1996,de', 'fr fr-CH fr-CH,fr', 'es es-419 es-419,es', 'ja ja-JP ja-JP,ja'],
  ...['nl zh-Hans-CN pt-BR', 'frr enm den']
].map((ways) => ways.split(' '))

/** An Accept-Language header, with distinct weights, and the language it prefers. @param {Random} random */
function anyPreference (random) {
  const way = random.int(1, 14)
  if (way === 1) return { header: undefined, language: 'en' }
  if (way === 2) return { header: random.pick(['*', 'nl', 'frr', 'de;q=0', 'den, pt-BR;q=0.5']), language: 'en' }
  if (way < 5) {
    // Of two such headers nothing but the end differs.
    const [weight, language] = random.pick([['0.4', 'de'], ['0.6', 'fr']])
    const others = 'nl-BE;q=0.9, pt-BR;q=0.8, '.repeat(random.pick([1, 2, 25]))
    return { header: `${others}de;q=0.5, fr;q=${weight}`, language }
  }
  const wanted = random.shuffle(tags).slice(0, random.int(1, 5)).flatMap((ways) => random.pick(ways).split(','))
  const step = random.pick([1, random.int(1, 99)])
  const ranges = wanted.map((tag, rank) => rank === 0 ? tag : `${tag};q=${(1000 - rank * step) / 1000}`)
  const last = random.pick([[], [], ['*;q=0.01'], ['it;q=0']])
  return {
    header: random.shuffle([...ranges, ...last]).join(random.pick([',', ', '])),
    language: wanted.map((tag) => tag.split('-')[0]).find((language) => languages.includes(language)) ?? 'en'
  }
}

/** None, one that is allowed, or another. @param {Random} random @param {string} first of the shop's origins */
function anyOrigin (random, first) {
  const shop = first.slice('https://'.length, -'.example'.length)
  const name = random.word(5)
  const partner = `https://${name}.${shop}-partners.example`
  const allowed = [first, `https://admin.${shop}.example:8443`, partner, partner.replace('.', '-2.')]
  const one = random.pick(allowed)
  const origin = random.pick([undefined, random.pick([
    ...allowed,
    ...[`http://${shop}.example`, `https://${shop}xexample`, `https://admin.${shop}.example`, 'null'],
    ...[`https://${shop}.example.${name}.test`, `https://evil-${shop}.example`, `https://${shop}-partners.example`],
    ...[`https://a.b.${shop}-partners.example`, `${partner}:8443`],
    ...[`${one}.${name}.test`, `https://${name}.test/?${one}`, `${one}x`]
  ])])
  return { origin, isAllowed: origin !== undefined && allowed.includes(origin) }
}

/** None, a valid id, or an invalid one. @param {Random} random @returns {Record<string, string>} */
function anyRequestId (random) {
  const [short, long] = [random.word(6), random.word(32)]
  const fit = [`${short}-A`, `${short}-${random.int(100, 999)}_X`, `${long}_${long.slice(1)}`]
  const unfit = ['short-7', `${long}_${long}`, `${short} ${short}`, `<b>${short}</b>`, `${short}${short}"`, '', '{}']
  const ids = [fit, unfit, [], []][random.int(0, 3)]
  return ids.length > 0 ? { 'X-Request-Id': random.pick(ids) } : {}
}
