import { askedByClients } from './clients.js'
import { contractOf } from './contract.js'
import { loadsOf } from './loads.js'
import { logChecks, numberedLoads, withLog } from './logged.js'
import { createModel } from './model.js'
import { operationsOf } from './operations.js'
import { byRule, parseRoutes } from './routes.js'

export * from './kinds.js'
export { createModel } from './model.js'
export { reply } from './replies.js'

/**
 * The short form of a lesson: a table of routes, from which operations, contract, model and loads follow.
 * Every field of a lesson (`make-it-fast/lesson`) can be given as well, and adds to the result or overrides it.
 *
 * @import { Check, Gate, Lesson } from '../../runner/lesson/index.js'
 * @import { FormContract, FormGate, FormLesson } from './types.js'
 */

/**
 * @param {FormLesson} given
 * @returns {Lesson & Required<Pick<Lesson, 'data' | 'operations' | 'model'>>}
 * @throws {Error} a name of a route, a mix or a gate that cannot be read, with what it should look like
 */
export function form (given) {
  const { data, files = filesOf, routes: table = {}, loads, gates, operations = {}, contract, ...others } = given
  const { clients, logged, ...rest } = others
  const routes = parseRoutes(table).map((route) => ({ meaning: clients?.meaning, ...route }))
  const asked = askedByClients(operationsOf(routes, byRule(operations)), clients)
  const made = loadsOf(loads, routes, clients)
  return {
    sequence: { steps: 110, restart: true },
    model: ({ data }) => createModel(data),
    ...rest,
    data: async (given) => {
      const values = await data(given)
      return { files: files(values), data: values }
    },
    operations: logged ? withLog(asked, logged) : asked,
    contract: [
      ...contractOf(routes, { clients, files }),
      ...byMoment(contract),
      ...logged ? logChecks(logged) : []
    ],
    loads: logged ? numberedLoads(made) : made,
    gates: Object.entries(gates).map(([name, gate]) => gateOf(name, gate, Object.keys(loads)[0]))
  }
}

/** A file for each key. @param {Record<string, any>} data @returns {Record<string, string>} */
export function filesOf (data) {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [`${key}.json`, JSON.stringify(value)]))
}

/** Those that aren't a `when` themselves. @type {Record<string, Omit<Check, 'name' | 'run'>>} by `Moment` */
const moments = {
  always: { when: ['before', 'after'] },
  apart: { when: ['before'], apart: true }
}

/** Checks of any lesson, by when they run and by their names. @param {FormContract} [given] @returns {Check[]} */
export function byMoment (given = []) {
  if (Array.isArray(given)) return given
  return Object.entries(given).flatMap(([moment, checks]) => {
    /** @type {any} a lesson's rules refuse one that's mistyped */
    const when = [moment]
    return Object.entries(checks).map(([name, check]) =>
      ({ name, ...typeof check === 'function' ? { run: check } : check, ...moments[moment] ?? { when } }))
  })
}

/** @param {string} name @param {FormGate} gate @param {string} firstLoad @returns {Gate} */
function gateOf (name, { load, rate, p99, ...gate }, firstLoad) {
  if (rate !== undefined) {
    const goal = typeof rate === 'number' ? { target: rate } : { tiers: rate }
    return { kind: 'rate', ...goal, ...gate, name, load: load ?? firstLoad }
  }
  if (p99 !== undefined) return { kind: 'latency', percentile: 99, target: p99, ...gate, name, load: load ?? firstLoad }
  if (gate.kind === undefined) throw new Error(`gates.${name}: give it \`rate\`, \`p99\`, or a kind and a target`)
  return { ...gate, kind: gate.kind, name, load: load ?? firstLoad }
}
