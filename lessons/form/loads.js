import { isDeepStrictEqual } from 'node:util'
import { jsonType, leadsTo } from '../shared/answers.js'

/**
 * Loads as mixes of routes. Pure but for the random numbers that they are handed.
 *
 * @import { Item, Load, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Model } from './model.js'
 * @import { FormLoad, ParsedRoute } from './types.js'
 *
 * @typedef {object} Kind one entry of a mix
 * @property {ParsedRoute} route
 * @property {number} share
 * @property {string} [encoding]
 * @property {boolean} isAgain with the ETag of the last answer
 */

const probeRate = 50

/**
 * @param {Record<string, FormLoad>} loads
 * @param {readonly ParsedRoute[]} routes
 * @returns {Record<string, Load>}
 * @throws {Error} a mix that names no route, or no mix and no stream
 */
export function loadsOf (loads, routes) {
  return Object.fromEntries(Object.entries(loads).map(([name, { mix, stream, beside, ...load }]) => {
    if (mix === undefined && stream === undefined) throw new Error(`loads.${name}: give it a mix or a stream`)
    const made = {
      connections: 8,
      sliceMs: 200,
      ...load,
      stream: stream ?? streamOf(kindsOf(mix ?? {}, routes)),
      ...beside !== undefined && { probe: { stream: streamOf(kindsOf({ [beside]: 1 }, routes)), rate: probeRate } }
    }
    return [name, made]
  }))
}

/** @param {Record<string, number>} mix @param {readonly ParsedRoute[]} routes @returns {Kind[]} */
function kindsOf (mix, routes) {
  return Object.entries(mix).map(([text, share]) => {
    const [, name, encoding, again] = /^(\S+ \S+)(?: (?!again$)(\w+))?( again)?$/.exec(text) ?? []
    const route = routes.find((one) => one.name === name)
    if (route === undefined) {
      throw new Error(`loads: "${text}" names no route; write a route, then an encoding, then "again", as needed`)
    }
    return { route, share, encoding, isAgain: again !== undefined }
  })
}

/** @param {readonly Kind[]} kinds @returns {Stream} */
function streamOf (kinds) {
  const sum = kinds.reduce((total, { share }) => total + share, 0)
  return ({ random, model }) => () => {
    let at = random.next() * sum
    const drawn = kinds.find(({ share }) => (at -= share) < 0) ?? kinds[0]
    // One write at a time: the states are a line.
    const isLate = !drawn.route.isRead && model.versions.isWriting
    const kind = (isLate && kinds.find(({ route }) => route.isRead)) || drawn
    return kind.route.isRead ? read(kind, model, random) : write(kind.route, model, random)
  }
}

/** @param {Kind} kind @param {Model} model @param {Random} random @returns {Item} */
function read (kind, model, random) {
  const { route, encoding, isAgain } = kind
  /** @type {Record<string, string>} */
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding }
  if (route.is === undefined) return readAlways(route)
  if (route.hasParameter) return { headers, ...readOne(route, model, random) }
  const path = route.url()
  const key = `${path}#${encoding ?? ''}`
  model.know(key, { route, encoding })
  const item = isAgain ? model.versions.revalidate(key, random) : model.versions.read(key)
  return {
    ...item,
    path,
    headers: { ...headers, ...item.headers },
    check: (answer) => wrongHead(kind, answer) ?? item.check(answer)
  }
}

/** @param {ParsedRoute} route @returns {Item} */
function readAlways ({ url, always }) {
  const path = url()
  return {
    path,
    key: path,
    check: (answer) => wrongJson(answer, 200) ?? (always === undefined || isDeepStrictEqual(answer.json(), always)
      ? undefined
      : `expected ${JSON.stringify(always)}, got ${answer.text().slice(0, 80)}`)
  }
}

/**
 * Of one value many states show the same: it tells no version, and has to be right in one that it may show.
 *
 * @param {ParsedRoute} route
 * @param {Model} model
 * @param {Random} random
 * @returns {Item}
 */
function readOne ({ url, is = () => undefined, good = () => '', near = good }, { states, versions }, random) {
  const from = versions.acknowledged
  let to = from
  const value = String((random.int(0, 1) === 0 ? near : good)({ random, state: states[from] }))
  return {
    path: url(value),
    answered: () => { to = versions.started },
    check: (answer) => {
      const possible = states.slice(from, to + 1).map((state) => is(state, value))
      if (answer.status === 404 && possible.includes(undefined)) return
      const wrong = wrongJson(answer, 200)
      if (wrong) return wrong
      const shown = answer.json()
      if (!possible.some((one) => isDeepStrictEqual(shown, one))) return 'this is not the one that belongs there'
    }
  }
}

/** @param {ParsedRoute} route @param {Model} model @param {Random} random @returns {Item} */
function write (route, { states, versions }, random) {
  const { method, url, body = () => ({}), then = (state) => state, answers, status = 201, location } = route
  const sent = body(random, { sent: [], state: states[states.length - 1] })
  const state = then(states[states.length - 1], sent)
  states.push(state)
  return versions.write({ method, path: url(), json: sent }, status, (answer) => {
    const leads = location === undefined || leadsTo(answer.headers.location, url(), location(state))
    if (!leads) return `Location is ${answer.headers.location}`
    if (answers === undefined) return
    return wrongJson(answer, status) ??
      (isDeepStrictEqual(answer.json(), answers(state)) ? undefined : 'this is not what was written')
  })
}

/** @param {Kind} kind @param {LoadAnswer} answer */
function wrongHead ({ route: { encodings, tagged }, encoding = 'identity' }, { status, headers }) {
  const { etag = '', vary = '', 'content-encoding': got = 'identity' } = headers
  if (encodings && !/\baccept-encoding\b|\*/i.test(vary)) return `Vary is ${vary || 'not there'}, and there are forms`
  if (tagged && !/^(W\/)?"[^"]*"$/.test(etag)) return `expected a quoted ETag, got ${etag || 'none'}`
  if (status === 200 && encodings && got !== encoding) return `Content-Encoding is ${got} for a client of ${encoding}`
}

/** @param {LoadAnswer} answer @param {number} status */
function wrongJson (answer, status) {
  if (answer.status !== status) return `expected status ${status}, got ${answer.status}`
  const type = answer.headers['content-type'] ?? ''
  if (!jsonType.test(type)) return `Content-Type is ${type || 'not there'}`
}
