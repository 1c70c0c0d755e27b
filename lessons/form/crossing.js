import { countDrawn } from '../shared/answers.js'
import { urlOf } from '../shared/urls.js'
import { headersOf } from './requests.js'

/**
 * Reads with several parameters, as alike to earlier ones as can be: what's kept under a careless key is then another
 * request's. Pure.
 *
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 * @import { DrawGiven, ParsedRoute } from './types.js'
 */

/** So often do two requests exchange a parameter, … */
const exchanges = 6
/** … and a digit goes over from one parameter to another. */
const shifts = 6

/**
 * @param {ParsedRoute} route
 * @param {readonly ParsedRoute[]} routes
 * @param {Operation['headers']} headers
 * @returns {[string, Operation][]}
 */
export function crossing (route, routes, headers) {
  const { name, row, rule, meaning, isRead, anyQuery, good } = route
  const isOfMany = (row.match(/:\w+|\w+=/g)?.length ?? 0) > 1 || (good !== undefined && !/[:=]/.test(row))
  if (!isRead || anyQuery || name !== row || !isOfMany) return []
  const all = routes.filter((one) => one.row === row && (one === route || !one.odd))
  const names = all.flatMap(({ name, ways = {} }) => [name, ...Object.keys(ways)])
  /** @type {(key: string, least: number, draw: (steps: Step[], given: DrawGiven) => Asking) => [string, Operation]} */
  const reading = (key, least, draw) => [key, {
    rule,
    ...meaning && { meaning },
    headers,
    weight: 0.5,
    least,
    draw: (given) => {
      const steps = names.flatMap(given.past).sort((a, b) => a.id - b.id)
      const { path, of } = draw(steps, given) ?? {}
      if (path === undefined || of === undefined) return null
      // Other headers are the client's, or a name that belongs to one request.
      const { 'Accept-Encoding': accepted } = headersOf(of)
      return { path, headers: { ...accepted && { 'Accept-Encoding': accepted } } }
    }
  }]
  const shifted = `${name}, shifted`
  return [
    reading(`${name}, crossed`, exchanges, (steps, { random }) => mixed(row, steps, random)),
    reading(shifted, shifts, (steps, { random, past }) => {
      const isBehind = countDrawn(past(shifted)) % 2 === 1
      const found = steps.flatMap((of) => shiftsOf(row, urlOf(of), isBehind).map((path) => ({ path, of })))
      return found.length === 0 ? undefined : random.pick(found.slice(-4))
    })
  ]
}

/** @typedef {{ path: string, of: Step } | undefined} Asking of: whose headers it has */

/**
 * One parameter of an earlier request, and all others of the last one: a key may lack a parameter.
 *
 * @param {string} row @param {readonly Step[]} steps @param {Random} random @returns {Asking}
 */
function mixed (row, steps, random) {
  const last = steps.at(-1)
  const others = steps.filter((step) => last && urlOf(step) !== urlOf(last))
  if (last === undefined || others.length === 0) return
  const [one, other] = [urlOf(last), urlOf(random.pick(others))]
  const path = exchanged(row, one, other, random)
  return path === one || path === other ? undefined : { path, of: last }
}

/**
 * @param {string} row
 * @param {string} one
 * @param {string} other
 * @param {Random} random
 * @returns {string} one of them, with a parameter of the other: a part of the path, or all in the query of one name
 */
function exchanged (row, one, other, random) {
  const [{ parts, pairs }, { parts: others, pairs: otherPairs }] = [one, other].map(read)
  const nameOf = (/** @type {string} */ text) => text.split('=')[0]
  const chosen = random.pick([...placesIn(row), ...new Set([...pairs, ...otherPairs].map(nameOf))])
  const isChosen = (/** @type {string} */ text) => nameOf(text) === chosen
  return written({
    parts: parts.map((part, at) => at === chosen ? others[at] : part),
    pairs: [...pairs.filter((text) => !isChosen(text)), ...otherPairs.filter(isChosen)]
  })
}

/**
 * The URL with a digit of a number moved into another parameter: joined with nothing in between, both are the same.
 *
 * @param {string} row @param {string} url @param {boolean} isBehind does the number come after the other parameter?
 * @returns {string[]} all that there are
 */
function shiftsOf (row, url, isBehind) {
  const { parts, pairs } = read(url)
  const places = placesIn(row)
  // What is before a value stays: `limit=`.
  /** @type {string[]} */
  const known = row.match(/\w+=/g) ?? []
  const all = [...places.map((at) => ({ head: '', value: parts[at] })), ...pairs.map((pair) => {
    const [, head, value] = /^([^=]*=?)(.*)$/s.exec(pair) ?? ['', '', '']
    return { head, value }
  })]
  return all.flatMap(({ value: number }, from) => {
    const [digit, rest] = isBehind ? [number[0], number.slice(1)] : [number.at(-1), number.slice(0, -1)]
    if (!/^[1-9]\d+$/.test(number) || rest.startsWith('0')) return []
    return all.flatMap(({ head, value }, to) => {
      const isUnknown = known.length > 0 && to >= places.length && !known.includes(head)
      // Whether 01 is a number is for no text to say.
      if (to === from || isUnknown || (digit === '0' && /^\d+$/.test(value))) return []
      const texts = all.map(({ head, value }, at) => {
        if (at === from) return head + rest
        return head + (at !== to ? value : isBehind ? value + digit : digit + value)
      })
      return written({
        parts: parts.map((part, at) => places.includes(at) ? texts[places.indexOf(at)] : part),
        pairs: texts.slice(places.length)
      })
    })
  })
}

/** Where the parameters are in the path. @param {string} row `GET /map/:x/:y` */
function placesIn (row) {
  return read(row.split(' ')[1]).parts.flatMap((part, at) => part.startsWith(':') ? [at] : [])
}

/** @param {string} url */
function read (url) {
  const [path, query] = url.split('?')
  return { parts: path.split('/'), pairs: query?.split('&') ?? [] }
}

/** @param {{ parts: string[], pairs: string[] }} url */
function written ({ parts, pairs }) {
  return pairs.length === 0 ? parts.join('/') : `${parts.join('/')}?${pairs.join('&')}`
}
