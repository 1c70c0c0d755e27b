import { holdsSecret } from '../secrets.js'

/**
 * Makes a load of recorded requests.
 *
 * @import { Input, Load, LoadRequest } from './load.js'
 *
 * @typedef {Pick<LoadRequest, 'method' | 'path' | 'headers' | 'body'>} Recorded
 *
 * @typedef {object} Gathering
 * @property {(request: Recorded) => void} add
 * @property {(why: string) => void} leaveOut counts what is left out, by the reason
 * @property {() => { load: Load, leftOut: Map<string, number> }} finish
 */

const [mostRequests, mostValues, mostKinds] = [200, 200, 100_000]
/** A number, a UUID, MongoDB's ids. */
const id = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24})$/i

/** Stands for an id; no path of a request holds it. */
const gap = '\0'

/** @returns {Gathering} */
export function createGathering () {
  /** @type {Map<string, { request: Recorded, count: number }>} */
  const seen = new Map()
  /** @type {Map<string, number>} */
  const leftOut = new Map()
  const leaveOut = (/** @type {string} */ why, count = 1) => { leftOut.set(why, (leftOut.get(why) ?? 0) + count) }
  return {
    leaveOut: (why) => leaveOut(why),
    add: (given) => {
      const request = { ...given, path: given.path.replace(/^https?:\/\/[^/]+/i, '').replace(/#.*/, '') }
      const { path, body } = request
      if (!/^\/[\x21-\x7e]*$/.test(path)) return leaveOut('that have no path which can be sent')
      if (holdsSecret(path, body)) return leaveOut('that seem to hold a secret')
      const key = JSON.stringify(request)
      const known = seen.get(key)
      if (known) known.count++
      else if (seen.size < mostKinds) seen.set(key, { request, count: 1 })
      else leaveOut(`that differ from the first ${mostKinds} different ones`)
    },
    finish: () => {
      const groups = groupsOf([...seen.values()]).sort((a, b) => b.count - a.count)
      const rare = groups.slice(mostRequests).reduce((sum, { count }) => sum + count, 0)
      if (rare > 0) leaveOut(`that are rarer than the ${mostRequests} most frequent`, rare)
      return { load: loadOf(groups.slice(0, mostRequests), leaveOut), leftOut }
    }
  }
}

/**
 * @typedef {{ request: Recorded, count: number, values: Map<string, number> }} Group of requests that differ in one id;
 *   values: how often each was seen
 *
 * @param {{ request: Recorded, count: number }[]} all
 * @returns {Group[]}
 */
function groupsOf (all) {
  /** @type {Map<string, Group>} */
  const groups = new Map()
  for (const { request, count } of all) {
    const parts = request.path.split(/(?=[/?])/)
    // The last one alone: the reviews of one film aren't those of another.
    const isId = (/** @type {string} */ part) => part.startsWith('/') && id.test(part.slice(1))
    const at = request.body === undefined ? parts.findLastIndex(isId) : -1
    const path = at < 0 ? request.path : parts.with(at, `/${gap}`).join('')
    const key = JSON.stringify({ ...request, path })
    const group = groups.get(key) ?? { request: { ...request, path }, count: 0, values: new Map() }
    group.count += count
    if (at >= 0) group.values.set(parts[at].slice(1), count)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** @param {Group[]} groups @param {(why: string, count: number) => void} leaveOut @returns {Load} */
function loadOf (groups, leaveOut) {
  /** @type {Record<string, Input>} */
  const inputs = {}
  const requests = groups.map(({ request, count, values }) => {
    const all = [...values].sort(([, a], [, b]) => b - a)
    const [path, rest] = request.path.split(gap).map(escape)
    const fill = (/** @type {string} */ value) => ({ ...request, path: path + value + (rest ?? ''), weight: count })
    if (all.length === 0) return fill('')
    if (all.length === 1) return fill(all[0][0])
    const name = nameFor(path, inputs)
    const rare = all.slice(mostValues).reduce((sum, [, times]) => sum + times, 0)
    if (rare > 0) leaveOut(`with ids that are rarer than the ${mostValues} most frequent of their path`, rare)
    const isEven = all.every(([, times]) => times === all[0][1])
    const some = all.slice(0, mostValues)
    inputs[name] = isEven ? some.map(([value]) => value) : { weights: Object.fromEntries(some) }
    return { ...fill(`{${name}}`), weight: count - rare }
  })
  return { requests, ...Object.keys(inputs).length > 0 && { inputs } }
}

/** Braces mean places in a load file. @param {string} path */
function escape (path) {
  return path.replaceAll('{', '%7B').replaceAll('}', '%7D')
}

/** @param {string} path that ends before an id @param {Record<string, Input>} taken */
function nameFor (path, taken) {
  const [word = 'id'] = /[A-Za-z_]\w*(?=\/$)/.exec(path) ?? []
  for (let number = 1; ; number++) {
    const name = number === 1 ? word : `${word}_${number}`
    if (!Object.hasOwn(taken, name)) return name
  }
}
