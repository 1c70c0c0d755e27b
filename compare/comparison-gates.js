import { WorkshopError } from '../runner/errors.js'
import { nearest } from '../runner/near.js'
import lesson from './lesson.js'

/**
 * @import { Gate } from '../runner/judge/index.js'
 * @import { Lesson, Load } from '../runner/lesson/index.js'
 */

/** A share of the capacity that leaves no queue in a server which is half as fast. */
const steadyShare = 0.4

/** @type {Record<string, Pick<Gate, 'kind' | 'load' | 'of' | 'percentile'>>} */
const table = {
  rate: { kind: 'rate', load: 'busy' },
  p50: { kind: 'latency', load: 'steady', of: 'load', percentile: 50 },
  p99: { kind: 'latency', load: 'steady', of: 'load', percentile: 99 },
  cpu: { kind: 'cpu', load: 'busy' },
  memory: { kind: 'retained', load: 'memory' }
}
const gateNames = Object.keys(table)

/**
 * What is measured, and under which loads. Pure.
 *
 * @param {readonly string[]} names none: answers a second, or where requests come at a fixed rate, latencies
 * @param {{ target: number | null, connections?: number, rate?: number }} given rate: requests/s
 * @returns {Pick<Lesson, 'gates' | 'loads'>}
 * @throws {WorkshopError} there is no such gate
 */
export function gatesOf (names, { target, connections = 16, rate }) {
  const chosen = names.length > 0 ? names : rate === undefined ? ['rate'] : ['p50', 'p99']
  const gates = [...new Set(chosen)].map((name) => {
    if (!Object.hasOwn(table, name)) throw new WorkshopError(`There is no gate “${name}”: ${advice(name)}`)
    return { name, ...table[name], target: target ?? 1, look: '' }
  })
  /** @type {Record<string, Partial<Load>>} */
  const own = { busy: {}, steady: rate === undefined ? { arrivals: steadyShare } : { rate }, memory: {} }
  return {
    gates,
    loads: Object.fromEntries(Object.entries(lesson.loads).map(([name, load]) =>
      [name, { ...load, ...own[name], connections }]))
  }
}

/** @param {string} name */
function advice (name) {
  const [near] = nearest(name, gateNames, { limit: 1 })
  return near ? `did you mean --gate ${near}?` : `--gate takes ${gateNames.join(', ')}.`
}
