import { jsonType, leadsTo } from '../shared/answers.js'
import { inMix } from '../shared/batches.js'
import { wrongTag } from '../shared/conditions.js'
import { anyUrl } from '../shared/urls.js'
import { crowdOf, fromClient } from './clients.js'
import { conditionOf, judgeCondition } from './copies.js'
import { readable } from './expects.js'
import { isOld, oldest } from './model.js'
import { reply, wrongReply } from './replies.js'
import { readOf, requestOf } from './requests.js'
import { valuesOf } from './routes.js'

/**
 * Loads as mixes of routes. Pure but for the random numbers that they are handed.
 *
 * @import { Item, Load, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { VersionOf } from '../shared/versions.js'
 * @import { Model } from './model.js'
 * @import { Clients, FormLoad, OwnItem, ParsedRoute } from './types.js'
 *
 * @typedef {object} Kind one entry of a mix
 * @property {ParsedRoute} route
 * @property {number} share
 * @property {string} [encoding]
 * @property {boolean} isNew a URL that was never requested before, and won't be again
 * @property {boolean} isAgain with the ETag of the last answer
 * @property {boolean} isWrong one that is refused
 *
 * The source of draws; near: a share; client: that of the request; urls: a stream's, by route.
 * @typedef {{ data: any, model: Model, random: Random, near: number, client: any, urls: Map<ParsedRoute, string[]> }}
 *   Given
 */

const probeRate = 50
/** URLs of a stream, for a route with any query string. */
const knownUrls = 6

/**
 * @param {Record<string, FormLoad>} loads
 * @param {readonly ParsedRoute[]} routes
 * @param {Clients} [clients]
 * @returns {Record<string, Load>}
 * @throws {Error} a mix that names no route, or no mix and no stream
 */
export function loadsOf (loads, routes, clients) {
  return Object.fromEntries(Object.entries(loads).map(([name, { mix, stream, alongside, near = 1 / 2, ...load }]) => {
    if (mix === undefined && stream === undefined) throw new Error(`loads.${name}: give it a mix or a stream`)
    const made = {
      connections: 8,
      sliceMs: 200,
      ...load,
      stream: stream ?? streamOf(kindsOf(mix ?? {}, routes), near, clients),
      ...alongside !== undefined && { probe: probeOf(alongside) }
    }
    return [name, made]
  }))

  /** @param {NonNullable<FormLoad['alongside']>} alongside @returns {Load['probe']} */
  function probeOf (alongside) {
    const [[name, rate]] = typeof alongside === 'string' ? [[alongside, probeRate]] : Object.entries(alongside)
    return { stream: streamOf(kindsOf({ [name]: 1 }, routes), 1, clients), rate: Number(rate) }
  }
}

/** @param {Record<string, number>} mix @param {readonly ParsedRoute[]} routes @returns {Kind[]} */
function kindsOf (mix, routes) {
  return Object.entries(mix).map(([text, share]) => {
    const exact = routes.find((one) => one.name === text)
    const [, name, encoding, added, again, wrong] =
      (!exact && /^(\S+ [^\s,]+)(?: (?!new\b|again$)(\w+))?( new)?( again)?(, wrong)?$/.exec(text)) || []
    const route = exact ?? routes.find((one) => one.name === name)
    if (route === undefined) {
      throw new Error(`loads: "${text}" doesn’t name a route; write a route, an encoding, "new", "again" or ", wrong"`)
    }
    if (!Number.isInteger(share)) {
      throw new Error(`loads: "${text}": ${share} isn’t a whole number; say how many of each make up the mix`)
    }
    const [isNew, isAgain, isWrong] = [added, again, wrong].map((word) => word !== undefined)
    return { route, share, encoding, isNew, isAgain, isWrong }
  })
}

/**
 * @param {readonly Kind[]} kinds
 * @param {number} near
 * @param {Clients} [clients]
 * @returns {Stream}
 */
function streamOf (kinds, near, clients) {
  return ({ random, data, model }) => {
    const anyClient = crowdOf(clients, { random, data, model })
    const urls = new Map(kinds.map(({ route }) => [route, urlsOf(route, { random, state: data })]))
    // The first request of a load is also the example that `serve` shows.
    const next = inMix(random, kinds.flatMap((kind) => Array(kind.share).fill(kind)), [kinds[0]])
    return () => {
      const drawn = next()
      // One write at a time: the states are a line.
      const isLate = !drawn.route.isRead && !drawn.route.item && !drawn.isWrong && model.versions.isWriting
      const kind = (isLate && kinds.find(({ route }) => route.isRead)) || drawn
      const given = { data, model, random, near, client: anyClient(), urls }
      const item = itemOf(kind, given)
      return clients === undefined ? item : fromClient(item, clients, given)
    }
  }
}

/** @param {ParsedRoute} route @param {{ random: Random, state: any }} given */
function urlsOf ({ url, anyQuery, good }, given) {
  const any = (/** @type {number} */ at) => good && at % 2 === 0 ? url(good(given)) : anyUrl(url(), given.random)
  return [url(), ...anyQuery ? Array.from({ length: knownUrls - 1 }, (_, at) => any(at)) : []]
}

/** @param {Kind} kind @param {Given} given */
function itemOf (kind, given) {
  if (kind.route.item) return ownItem(kind.route, kind.route.item(given))
  if (kind.route.isRead) return read(kind, given)
  return kind.isWrong ? wrongWrite(kind.route, given) : write(kind.route, given)
}

/** What a lesson draws and judges by itself. @param {ParsedRoute} route @param {OwnItem} own @returns {Item} */
function ownItem (route, { status = route.isRead ? 200 : 201, shows, check, ...own }) {
  return {
    ...requestOf(route, own),
    check: (answer) => {
      const { 'content-type': type = 'missing' } = answer.headers
      if (answer.status === status && !jsonType.test(type)) return `Content-Type is ${type}`
      return wrongReply(answer, [reply(status, shows?.())]) ?? check?.(answer)
    }
  }
}

/** @param {Kind} kind @param {Given} given @returns {Item} */
function read (kind, given) {
  const { route, encoding, isNew, isAgain } = kind
  const { random, model, urls } = given
  /** @type {Record<string, string>} */
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding }
  if (route.hasParameter) return readOne(kind, headers, given)
  if (route.is === undefined) return readAlways(route, given)
  const path = isNew ? `${route.url()}?user=${random.word(8)}` : random.pick(urls.get(route) ?? [])
  if (isNew && isAgain) return askForAny(kind, path)
  const key = `${path}#${encoding ?? ''}`
  /** @type {string | undefined} */
  let sent
  /** @type {VersionOf} */
  const versionOf = (body, window) => model.versionOf({ route, path, encoding: sent })(body, window)
  const item = isAgain
    ? model.versions.revalidate(key, versionOf, random)
    : model.versions.read(key, versionOf, !isNew)
  return {
    ...item,
    path,
    headers: { ...headers, ...item.headers },
    check: (answer) => {
      sent = answer.headers['content-encoding']
      return wrongHead(kind, answer) ?? item.check(answer)
    }
  }
}

/** Of a client to which any copy is good enough: `*`. @param {Kind} kind @param {string} path @returns {Item} */
function askForAny (kind, path) {
  return {
    path,
    headers: { 'if-none-match': '*' },
    check: (answer) => answer.status === 304 && answer.body.length === 0
      ? wrongHead(kind, answer)
      : `expected 304 to If-None-Match: *, and no body, got ${answer.status}`
  }
}

/** @param {ParsedRoute} route @param {Given} given @returns {Item} */
function readAlways ({ url, always, meaning }, { client }) {
  const path = url()
  const shown = typeof always === 'function' ? always('', client) : always
  // What depends on the client is judged each time.
  return { path, key: client ? undefined : path, check: (answer) => wrongReply(answer, [shown], { meaning }) }
}

/**
 * Of one value many states show the same: it tells no version, and has to be right in one that it may show.
 *
 * @param {Kind} kind
 * @param {Record<string, string>} headers
 * @param {Given} given
 * @returns {Item}
 */
function readOne (kind, headers, { model, random, near: share, client }) {
  const { route, isWrong, isAgain, encoding } = kind
  const { states, versions, copies } = model
  const { is, always, good = () => '', near = good, bad = [], refusal = () => undefined, meaning } = route
  const from = versions.acknowledged
  let to = from
  const form = `${route.name} ${encoding}`
  const copy = isAgain ? copies.pick(form, random) : undefined
  const drawn = { random, state: states[from], about: model.sent[from] }
  const value = isWrong
    ? random.pick(valuesOf(bad, random))
    : copy ? copy.value : (random.next() < share ? near : good)(drawn)
  /** @param {any} state */
  const shown = (state) => {
    const given = typeof value === 'object' ? value : String(value)
    if (isWrong) return refusal(given, client)
    return is ? is(state, given, client) : always(given, client)
  }
  const asked = readOf(route, value, { ...headers, ...copy && conditionOf(copy, random) })
  return {
    ...asked,
    answered: () => { to = versions.started },
    check: (answer) => {
      const possible = states.slice(from, to + 1).map(shown)
      const contents = copy || route.tagged ? [...new Set(possible.map((one) => JSON.stringify(one)))] : []
      const judged = copy && judgeCondition(copy, contents, answer)
      if (judged) return judged.wrong ?? wrongHead(kind, answer)
      const seen = readable(answer)
      const wrong = wrongReply(seen, possible, { meaning })
      const before = wrong === undefined ? [] : states.slice(Math.max(0, from - oldest), from).map(shown)
      if (before.length > 0 && wrongReply(seen, before, { meaning }) === undefined) return isOld
      if (wrong !== undefined || answer.status !== 200) return wrong
      const read = { value, path: asked.path, contents }
      return wrongHead(kind, answer) ?? (route.tagged ? copies.learn(form, read, answer) : undefined)
    }
  }
}

/** @param {ParsedRoute} route @param {Given} given @returns {Item} */
function write (route, { model, random, client }) {
  const { states, versions } = model
  const { method, url, underLoad, then = (state) => state, answers, status = 201, location, meaning } = route
  const sent = underLoad(random, { sent: [], state: states[states.length - 1] })
  const state = then(states[states.length - 1], sent)
  states.push(state)
  model.sent.push(sent)
  return versions.write({ method, path: url(), json: sent }, status, (answer) => {
    const leads = location === undefined || leadsTo(answer.headers.location, url(), location(state))
    if (!leads) return `Location is ${answer.headers.location}`
    if (status === 204 && answer.body.length > 0) return `expected no body with a 204, got ${answer.body.length} bytes`
    return answers === undefined ? undefined : wrongReply(answer, [answers(state, sent, client)], { status, meaning })
  })
}

/** One that is refused, and changes nothing. @param {ParsedRoute} route @param {Given} given @returns {Item} */
function wrongWrite (route, { model: { states }, random, client }) {
  const { method, url, body, wrong = () => [], refusal = () => undefined, meaning } = route
  const sent = random.pick(wrong(random, body(random, { sent: [], state: states[states.length - 1] })))
  const check = (/** @type {LoadAnswer} */ answer) => wrongReply(answer, [refusal(sent, client)], { meaning })
  return { method, path: url(), json: sent, check }
}

/** @param {Kind} kind @param {LoadAnswer} answer */
function wrongHead ({ route, encoding = 'identity' }, { status, headers }) {
  const { encodings, tagged, compressedTo, sends = {} } = route
  const { etag = '', vary = '', 'content-encoding': got = 'identity' } = headers
  if (encodings && !/\baccept-encoding\b|\*/i.test(vary)) return `Vary is ${vary || 'missing'}, without Accept-Encoding`
  for (const [name, value] of Object.entries(sends)) {
    if (headers[name] !== value) return `${name} is ${headers[name] ?? 'missing'} instead of ${value}`
  }
  const wrong = tagged && wrongTag(etag, tagged === 'strong')
  if (wrong) return wrong
  const isRight = got === encoding || (got === 'identity' && compressedTo === undefined)
  if (status === 200 && encodings && !isRight) return `Content-Encoding is ${got}, and the client accepts ${encoding}`
}
