import { newItem } from './data.js'
import { categories, duration, hasExpired, languages, securityHeaders, sidOf, tokens, uuid } from './reference.js'

/**
 * What can be asked of the shop, and who asks: the load draws from the same functions.
 *
 * @import { Answer, Asked, Request } from '../../runner/contract/index.js'
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 * @import { Known } from './data.js'
 * @import { Session } from './reference.js'
 *
 * @typedef {object} Client
 * @property {Record<string, string>} headers what a browser sends along
 * @property {string} language that the answers must have
 * @property {string} [origin]
 * @property {boolean} allowed
 * @property {Session | null} session null where nobody is signed in
 *
 * @typedef {{ random: Random, data: Known }} Given
 */

/** What CORS headers say counts only where the origin is allowed. @param {string[]} names to be in the list */
const allowing = (...names) => (/** @type {string | undefined} */ value, /** @type {Answer} */ { headers }) =>
  headers['access-control-allow-origin'] === undefined || names.every((name) => tokens(value).includes(name))

/** @type {{ headers: NonNullable<Operation['headers']>, meaning: Operation['meaning'] }} */
const everyAnswer = {
  headers: [
    ...Object.keys(securityHeaders),
    'x-powered-by',
    'content-language',
    'access-control-allow-origin',
    { name: 'access-control-allow-credentials', read: allowing('true') },
    { name: 'access-control-expose-headers', read: allowing('x-request-id', 'x-response-time') },
    { name: 'x-request-id', read: (id) => uuid.test(id ?? '') ? 'a new UUID' : id },
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
  }
}

/** @type {Record<string, Operation>} */
export const operations = {
  item: {
    ...everyAnswer,
    rule: 'sends an item with its price in the client’s language',
    weight: 4,
    draw: ({ random, data, past, about }) => {
      const known = past('add')
      const added = about ?? (known.length > 0 && random.int(1, 3) === 1 ? random.pick(known) : undefined)
      const id = random.pick([1, 2, 400, random.int(1, 400)])
      return ask({ random, data }, { path: `/items/${id}` }, added && ((item) => `/items/${item.id}`), added)
    }
  },
  list: {
    ...everyAnswer,
    rule: 'sends the list that a query asks for',
    weight: 5,
    draw: ({ random, data, about }) => ask(
      { random, data },
      { path: about ? '/items' : listQuery(random).path },
      about?.name === 'add' ? ({ name }) => `/items?q=${encodeURIComponent(`${name}`.slice(-6).toUpperCase())}` : null,
      about
    )
  },
  listAgain: {
    ...everyAnswer,
    rule: 'lists what was added since it was asked the same before',
    draw: ({ random, data, past, about }) => {
      const added = about ?? past('add').at(-1)
      const finding = plainPaths(past('list')).filter((path) => added !== undefined && finds(path, added))
      const byText = finding.filter((path) => textIn(path, 'q') !== '')
      if (finding.length === 0) return null
      return ask({ random, data }, { path: random.pick(byText.length > 0 ? byText : finding) })
    }
  },
  badList: {
    ...everyAnswer,
    rule: 'answers 400 to a query that it cannot understand, and names the fields',
    weight: 2,
    draw: ({ random, data }) => ask({ random, data }, { path: badQuery(random).path })
  },
  noItem: {
    ...everyAnswer,
    rule: 'answers 404 for an item that is not there',
    draw: ({ random, data }) => {
      const id = random.pick(['0', '-1', '1.5', `${random.int(1e6, 1e8)}`, random.word(5), 'constructor', '__proto__'])
      return ask({ random, data }, { path: `/items/${id}` })
    }
  },
  me: {
    ...everyAnswer,
    rule: 'tells who is signed in, and which features they have',
    weight: 6,
    draw: ({ random, data }) => ask({ random, data, isKnown: true }, { path: '/me' })
  },
  stranger: {
    ...everyAnswer,
    rule: 'lets nobody in without a valid session',
    weight: 5,
    draw: ({ random, data }) => ask({ random, data, isKnown: false }, { path: '/me' })
  },
  add: {
    ...everyAnswer,
    rule: 'answers a new item with 201, the item and its Location',
    effect: 'shows a new item in the very next read',
    touches: ['item', 'list', 'listAgain', 'listAgain'],
    weight: 3,
    draw: ({ random, data, past }) => {
      const { sent } = itemToSend(random)
      const lists = plainPaths(past('list')).filter((path) => textIn(path, 'q') !== '')
      if (lists.length > 0 && random.int(1, 3) > 1) {
        const path = random.pick(lists)
        sent.name = `${textIn(path, 'q').toUpperCase()} ${random.word(4)}`
        if (categories.includes(textIn(path, 'category'))) sent.category = textIn(path, 'category')
      }
      const atLimit = random.int(1, 5) === 1
      const body = atLimit ? paddedTo(random, data.config.bodyLimit) : JSON.stringify(sent, null, random.pick([0, 2]))
      const type = random.pick(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
      return ask({ random, data }, post(type, body))
    }
  },
  invalid: {
    ...everyAnswer,
    rule: 'refuses an item that is not valid, and names the fields',
    effect: 'keeps its items as they are when it refuses one',
    touches: ['list'],
    weight: 3,
    draw: ({ random, data }) => ask(
      { random, data },
      { method: 'POST', path: '/items', json: invalidItem(random).sent }
    )
  },
  brokenJson: {
    ...everyAnswer,
    rule: 'answers 400 to a body that is not JSON',
    weight: 2,
    draw: ({ random, data }) => {
      const body = random.pick(['{', '[1,', 'name=lamp', '{"a":1}}', `{"name": "${random.word(5)}`, "{'name': 'Lamp'}"])
      return ask({ random, data }, post('application/json', body))
    }
  },
  otherType: {
    ...everyAnswer,
    rule: 'answers 415 to a body of another type',
    weight: 3,
    draw: ({ random, data }) => {
      const type = random.pick(['application/x-www-form-urlencoded', 'text/plain', 'application/xml', 'text/html'])
      return ask({ random, data }, post(type, random.pick(['name=a&category=kitchen&price=1&stock=1', '{}'])))
    }
  },
  tooLarge: {
    ...everyAnswer,
    rule: 'answers 413 to a body over the limit, and takes one at the limit',
    weight: 4,
    draw: ({ random, data, past }) => {
      const { bodyLimit } = data.config
      const bytes = random.pick([bodyLimit + 1, bodyLimit + 2, Math.floor(bodyLimit * 1.5), bodyLimit * 8])
      // A body in chunks does not say how long it is.
      const chunked = past('tooLarge').length % 2 === 0
      return ask({ random, data }, { ...post('application/json', paddedTo(random, bytes)), chunked })
    }
  },
  nowhere: {
    ...everyAnswer,
    rule: 'answers an unknown address with 404 in the error format',
    weight: 3,
    draw: ({ random, data }) => {
      const [word, other] = [random.word(5), random.word(3)]
      const request = random.pick([
        { path: `/${word}` }, { path: `/${word}/${other}` }, { path: '/' }, { path: `/items/1/${word}` },
        { path: '/me/1' }, { path: `/${word}?limit=0` }, { method: 'DELETE', path: '/items/1' },
        { method: 'PUT', path: '/items' }, { method: 'PATCH', path: '/items/2' }, { method: 'POST', path: '/me' }
      ])
      return ask({ random, data }, { ...request, headers: { Accept: random.pick(['text/html', '*/*']) } })
    }
  },
  preflight: {
    ...everyAnswer,
    rule: 'answers a preflight request with 204, and what the origin may do',
    weight: 3,
    meaning: undefined,
    headers: [
      ...everyAnswer.headers,
      { name: 'access-control-allow-methods', read: allowing('get', 'post') },
      { name: 'access-control-allow-headers', read: allowing('content-type', 'x-request-id') },
      { name: 'access-control-max-age', read: allowing('600') }
    ],
    draw: ({ random, data }) => ask({ random, data }, {
      method: 'OPTIONS',
      path: random.pick(['/items', '/me', '/items/3', `/items/${random.word(4)}`, `/${random.word(5)}`, '/']),
      headers: {
        'Access-Control-Request-Method': random.pick(['GET', 'POST', 'DELETE']),
        'Access-Control-Request-Headers': 'content-type,x-request-id'
      }
    })
  },
  ids: {
    rule: 'never gives two requests the same new id',
    weight: 4,
    draw: ({ past }) => lookBack(past, 'the request ids that were made up so far, and given twice', (answers) => {
      const ids = answers.map(({ headers }) => headers['x-request-id']).filter((id) => uuid.test(id))
      return ids.filter((id, at) => ids.indexOf(id) !== at)
    })
  },
  times: {
    rule: 'measures the response time',
    draw: ({ past }) => lookBack(past, 'whether the response times so far differ', (answers) => {
      return new Set(answers.map(({ headers }) => headers['x-response-time'])).size > 1
    })
  }
}

/**
 * @param {(name: string) => Step[]} past
 * @param {string} says
 * @param {(answers: Answer[]) => unknown} look
 * @returns {Asked | null}
 */
function lookBack (past, says, look) {
  const steps = Object.keys(operations).flatMap(past)
  if (steps.length < 8) return null
  return (answerOf) => {
    const answers = steps.flatMap((step) => {
      try {
        return [answerOf(step)]
      } catch {
        return []
      }
    })
    return answers.length < 8 ? null : { look: () => look(answers), says }
  }
}

/** @param {Step[]} lists @returns {string[]} of those that rest on no answer */
function plainPaths (lists) {
  return lists.flatMap(({ asked }) => 'path' in asked ? [asked.path] : [])
}

/** @param {string} path @param {string} parameter what is left of it */
function textIn (path, parameter) {
  return new URL(path, 'http://127.0.0.1').searchParams.get(parameter)?.replace(/\p{Cc}/gu, '').trim() ?? ''
}

/** @param {string} path of a list @param {Step} added can it be in there? */
function finds (path, { asked }) {
  const { name, category } = JSON.parse(/** @type {any} */ (asked).body)
  const wanted = textIn(path, 'category')
  return `${name}`.toLowerCase().includes(textIn(path, 'q').toLowerCase()) && (wanted === '' || wanted === category)
}

/**
 * Somebody asks, with all that a browser sends along, in header names of any case.
 *
 * @param {Given & { isKnown?: boolean }} given isKnown: they are signed in, or they are not; otherwise chance decides
 * @param {Request} request
 * @param {((item: any) => string) | null} [pathOf] what is asked for instead, when there is an item
 * @param {Step} [added] the write that answered with it
 * @returns {Asked}
 */
function ask ({ random, data, isKnown }, request, pathOf, added) {
  const own = { ...makeClient(random, data, isKnown).headers, ...requestIdOf(random).headers, ...request.headers }
  const headers = Object.fromEntries(Object.entries(own).map(([name, value]) =>
    [random.pick([name, name, name.toLowerCase(), name.toUpperCase()]), value]))
  if (!pathOf || added === undefined) return { ...request, headers }
  return (answerOf) => ({ path: pathOf(answerOf(added).json() ?? {}), headers })
}

/** @param {string} type @param {string} body @returns {Request} */
function post (type, body) {
  return { method: 'POST', path: '/items', headers: { 'Content-Type': type }, body }
}

/** @param {Random} random @param {Known} data @param {boolean} [isKnown] @returns {Client} */
export function makeClient (random, data, isKnown = random.int(1, 4) > 1) {
  const { header, language } = preferenceOf(random)
  const { origin, allowed } = random.pick([{ origin: undefined, allowed: false }, random.pick(origins(random, data))])
  const session = sessionOf(random, data)
  const sid = isKnown ? sidOf(session, data.config.sessionSecret) : invalidSid(random, data, session)
  const value = isKnown ? random.pick([sid, sid, sid?.replace('.', '%2E'), `"${sid}"`]) : sid
  const cookie = value === undefined ? `xsid=${sidOf(session, data.config.sessionSecret)}` : `sid=${value}`
  return {
    headers: {
      ...(header !== undefined && { 'Accept-Language': header }),
      Accept: 'application/json',
      'User-Agent': `Shop/${random.int(1, 9)}.${random.int(0, 20)} (${random.word(7)})`,
      Cookie: random.pick([
        cookie,
        `theme=dark;${cookie}`,
        `a=b=c;  ${cookie}; last=%E0%A4%A`,
        `xsid=1.2; consent=${encodeURIComponent(JSON.stringify({ ads: false, id: random.word(8) }))}; ${cookie}; seen=1`
      ]),
      ...(origin !== undefined && { Origin: origin })
    },
    language,
    origin,
    allowed,
    session: isKnown ? session : null
  }
}

/** A few come often: what is remembered of them is asked for again. @param {Random} random @param {Known} data */
function sessionOf (random, { sessions }) {
  const alive = sessions.filter((session) => !hasExpired(session))
  return random.pick(random.int(1, 3) > 1 ? alive.slice(0, 5) : alive)
}

/**
 * @param {Random} random
 * @param {Known} data
 * @param {Session} session that is valid
 * @returns {string | undefined}
 */
function invalidSid (random, { sessions, config: { sessionSecret } }, session) {
  const sid = sidOf(session, sessionSecret)
  const at = session.id.length + random.int(2, 40)
  const gone = sidOf({ ...session, id: random.bytes(18).toString('base64url') }, sessionSecret)
  return random.pick([
    ...[undefined, '', session.id, `${session.id}.`, sid.slice(0, -1)],
    `${sid.slice(0, at)}${sid[at] === 'A' ? 'B' : 'A'}${sid.slice(at + 1)}`,
    `${session.id}.${random.bytes(32).toString('base64url')}`,
    `${session.id}${gone.slice(session.id.length)}`,
    gone,
    ...Array(2).fill(sidOf(random.pick(sessions.filter(hasExpired)), sessionSecret)),
    sidOf(session, `${sessionSecret}x`)
  ])
}

const regions = ['en-GB', 'en-US', 'de-AT', 'de-CH-1996', 'fr-CH', 'es-419', 'ja-JP']
const unknownTags = ['nl', 'pt-BR', 'zh-Hans-CN', 'frr', 'enm', 'den']

/**
 * An Accept-Language header, and the language that it asks for. No two languages of one header weigh the same.
 *
 * @param {Random} random
 * @returns {{ header: string | undefined, language: string }}
 */
function preferenceOf (random) {
  const form = random.int(1, 14)
  if (form === 1) return { header: undefined, language: 'en' }
  if (form < 4) return lateChoice(random)
  if (form === 4) return { header: random.pick(['*', 'nl', 'frr', 'de;q=0', 'den, pt-BR;q=0.5']), language: 'en' }
  const wanted = random.shuffle([...languages, ...languages, random.pick(unknownTags), random.pick(unknownTags)])
  const different = [...new Set(wanted)].slice(0, random.int(1, 5))
  const tags = different.flatMap((language) => {
    const region = regions.find((tag) => tag.startsWith(`${language}-`)) ?? language
    return [...new Set(random.pick([[language], [region], [region, language]]))]
  })
  const weights = [1000, ...random.shuffle(Array.from({ length: 98 }, (_, i) => 11 + i * 10)).slice(1, tags.length)]
  if (random.int(1, 3) === 1 && weights.length > 1) weights[1] = 999
  weights.sort((a, b) => b - a)
  const ranges = tags.map((tag, rank) => weights[rank] === 1000 ? tag : `${tag};q=${weights[rank] / 1000}`)
  const last = random.pick([[], [], ['*;q=0.01'], ['it;q=0']])
  return {
    header: random.shuffle([...ranges, ...last]).join(random.pick([',', ', '])),
    language: different.find((language) => languages.includes(language)) ?? 'en'
  }
}

/** Of two such headers nothing but the end differs. @param {Random} random */
function lateChoice (random) {
  const [one, other] = random.shuffle(['de', 'fr', 'en']).slice(1).sort()
  const [less, more] = [0.5, random.pick([0.4, 0.6])]
  const header = `nl-BE;q=0.9, pt-BR;q=0.8, ${one};q=${less}, ${other};q=${more}`
  return { header, language: more > less ? other : one }
}

/** @param {Random} random @param {Known} data */
function origins (random, { shop }) {
  const name = random.word(5)
  const allowed = [
    `https://${shop}.example`,
    `https://admin.${shop}.example:8443`,
    `https://${name}-2.${shop}-partners.example`,
    `https://${name}.${shop}-partners.example`
  ]
  const one = random.pick(allowed)
  const others = [
    ...[`http://${shop}.example`, `https://${shop}xexample`, `https://admin.${shop}.example`, 'null'],
    ...[`https://${shop}.example.${name}.test`, `https://evil-${shop}.example`, `https://${shop}-partners.example`],
    ...[`https://a.b.${shop}-partners.example`, `https://${name}.${shop}-partners.example:8443`],
    ...[`${one}.${name}.test`, `https://${name}.test/?${one}`, `${one}x`]
  ]
  return [
    ...allowed.map((origin) => ({ origin, allowed: true })),
    ...others.map((origin) => ({ origin, allowed: false }))
  ]
}

/** @param {Random} random @returns {{ headers: Record<string, string>, fit?: string }} fit: it is to be used */
export function requestIdOf (random) {
  const [short, long] = [random.word(6), random.word(32)]
  const [fit, unfit] = [
    [`${short}-A`, `${short}-${random.int(100, 999)}_X`, `${long}_${long.slice(1)}`],
    ['short-7', `${long}_${long}`, `${short} ${short}`, `<b>${short}</b>`, `${short}${short}"`, `{"${short}":1}`, '']
  ].map((some) => random.pick(some))
  const way = random.int(1, 4)
  if (way > 2) return { headers: {} }
  return way === 1 ? { headers: { 'X-Request-Id': fit }, fit } : { headers: { 'X-Request-Id': unfit } }
}

/** What is taken out again of a text from a client. @param {Random} random @param {string} text */
function soiled (random, text) {
  const [before, inside, after] = ['', '', ''].map(() => random.pick(['', '\u0000', '\u001f', '\u007f', '\t']))
  const at = random.int(0, text.length)
  return `${random.pick(['', ' '])}${before} ${text.slice(0, at)}${inside}${text.slice(at)}  ${after}`
}

/** @param {Random} random @param {[name: string, value: string][]} parameters */
function pathOf (random, parameters) {
  const shuffled = random.shuffle(parameters)
  const [name] = random.pick(parameters)
  /** The first counts. @type {[name: string, value: string][]} */
  const twice = random.int(1, 6) === 1 ? [[name, random.pick(['1', 'office'])]] : []
  const operator = parameters.some(([name]) => name === 'category') ? 'sort' : 'category[$ne]'
  const unknown = random.pick(['', '', '', '', `&${operator}=garden`, '&page=2', '&$where=1', '&toString=1'])
  const text = [...shuffled, ...twice].map(([name, value]) => {
    const soil = random.int(1, 6) === 1 ? soiled(random, value) : value
    return `${name}=${encodeURIComponent(soil).replaceAll('%20', random.pick(['%20', '+']))}`
  }).join('&')
  return `/items?${text}${unknown}`
}

const parts = ['o', 'la', 'é', 'BR', 'table', 'CAFÉ', 'ö', 'plain lamp', 'nothing-like-this', '.*', 'lamp clock']

/**
 * What a list is asked for, and how.
 *
 * @param {Random} random
 * @returns {{ category: string, q: string, limit: number, offset: number, path: string }}
 */
export function listQuery (random) {
  const rare = random.pick(['none', 'Garden', 'constructor', '__proto__'])
  /** @type {any} */
  const query = {
    category: random.pick(['', random.pick(random.int(1, 4) === 1 ? [rare] : categories), random.pick(categories)]),
    q: random.pick(['', random.pick(parts)]),
    limit: random.pick([10, random.int(5, 20), random.int(5, 20), random.pick([1, 9, 50])]),
    offset: 0
  }
  query.offset = random.pick([0, 0, query.limit, 2 * query.limit, random.pick([1, 390, 9999])])
  const defaults = { category: '', q: '', limit: '10', offset: '0' }
  const all = Object.entries(defaults).map(([name, value]) => ({ name, value, given: String(query[name]) }))
  const needed = all.filter(({ value, given }) => given !== value || random.int(1, 4) === 1)
  const parameters = needed.map(({ name, given }) => /** @type {[string, string]} */ ([name, given]))
  return { ...query, path: parameters.length > 0 ? pathOf(random, parameters) : '/items' }
}

/** @param {Random} random */
export function badQuery (random) {
  const limit = random.pick(['0', '51', '100', '-1', 'ten', '5x', '1.5'])
  const offset = random.pick(['-1', 'x', '1.5'])
  const fields = random.pick([['limit'], ['limit'], ['offset'], ['limit', 'offset']])
  return {
    fields,
    path: pathOf(random, [
      ['limit', fields.includes('limit') ? limit : '12'],
      ['offset', fields.includes('offset') ? offset : '3']
    ])
  }
}

/** @param {Random} random an item as a client sends it, and as it is kept */
export function itemToSend (random) {
  const item = newItem(random)
  const word = random.word(6)
  const name = random.pick([item.name, item.name, `Łódź 東京 “x” ${word}`, `${'ÿ'.repeat(73)} ${word}`])
  const price = random.pick([item.price, item.price, random.int(1, 1e7) / 100, 100000, 0.01])
  const description = random.pick(['', '', `${item.name}, ${word}`])
  const kept = { ...item, name, price, description }
  const { description: _, ...short } = kept
  const sent = {
    ...(description === '' ? short : { ...kept, description: soiled(random, description) }),
    name: random.pick([name, soiled(random, name)]),
    ...random.pick([{}, { id: 1, extra: { deep: [1] } }])
  }
  return { sent, kept }
}

/** @type {[field: string, value: unknown][]} */
const faults = [
  ['name', undefined], ['name', ''], ['name', ' \t '], ['name', 'x'.repeat(81)], ['name', 7], ['category', 'Garden'],
  ['category', 'constructor'], ['category', undefined], ['price', '5'], ['price', 0], ['price', -1],
  ['price', 100000.01], ['stock', 1.5], ['stock', -1], ['stock', '3'], ['description', 7]
]

/** @param {Random} random */
export function invalidItem (random) {
  if (random.int(1, 8) === 1) return { sent: {}, fields: ['category', 'name', 'price', 'stock'] }
  const wrong = new Map(random.shuffle(faults).slice(0, random.int(1, 3)))
  return { sent: { ...itemToSend(random).sent, ...Object.fromEntries(wrong) }, fields: [...wrong.keys()].sort() }
}

/** Padded with characters of two bytes: a limit counts bytes. @param {Random} random @param {number} bytes */
function paddedTo (random, bytes) {
  const item = { ...newItem(random), description: '' }
  const room = bytes - Buffer.byteLength(JSON.stringify(item))
  return JSON.stringify({ ...item, description: 'é'.repeat(Math.floor(room / 2)) + 'e'.repeat(room % 2) })
}
