import { readFileSync } from 'node:fs'
import { contractOf } from './contract.js'
import { loadsOf } from './loads.js'
import { createModel } from './model.js'
import { operationsOf } from './operations.js'
import { findPromises, promisedRules } from './promises.js'
import { parseRoutes } from './routes.js'

/**
 * The short form of a lesson: a table of routes, from which operations, contract, promises, model and loads follow.
 * Every field of a lesson (`make-it-fast/lesson`) can stand next to it, and adds to what follows or overrules it.
 *
 * @import { Gate, Lesson } from '../../runner/lesson/index.js'
 * @import { FormGate, FormLesson } from './types.js'
 */

/**
 * @param {FormLesson} given
 * @returns {Lesson}
 * @throws {Error} a name of a route, a mix or a gate that cannot be read, with what it should look like
 */
export function form ({ base, data, routes: table, loads, gates, operations, contract = [], promised = {}, ...rest }) {
  const routes = parseRoutes(table)
  const made = { ...operationsOf(routes), ...operations }
  const text = readFileSync(new URL('README.md', base), 'utf8')
  const checks = [...contractOf(routes), ...contract]
  return {
    sequence: { steps: 110, restart: true },
    model: ({ data }) => createModel(data),
    ...rest,
    data: (given) => {
      const values = data(given)
      const files = Object.entries(values).map(([key, value]) => [`${key}.json`, JSON.stringify(value)])
      return { files: Object.fromEntries(files), data: values }
    },
    operations: made,
    contract: checks,
    promises: findPromises(text, promisedRules(routes, made, checks), promised),
    loads: loadsOf(loads, routes),
    gates: Object.entries(gates).map(([name, gate]) => gateOf(name, gate, Object.keys(loads)[0]))
  }
}

/** @param {string} name @param {FormGate} gate @param {string} firstLoad @returns {Gate} */
function gateOf (name, { load, rate, p99, ...gate }, firstLoad) {
  if (rate !== undefined) return { kind: 'rate', target: rate, ...gate, name, load: load ?? firstLoad }
  if (p99 !== undefined) return { kind: 'latency', percentile: 99, target: p99, ...gate, name, load: load ?? firstLoad }
  if (gate.kind === undefined) throw new Error(`gates.${name}: give it \`rate\`, \`p99\`, or a kind and a target`)
  return { ...gate, kind: gate.kind, name, load: load ?? firstLoad }
}
