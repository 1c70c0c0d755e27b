import { fileURLToPath } from 'node:url'
import { median } from '../judge/index.js'

/**
 * @import { GateResult } from '../judge/index.js'
 * @import { Lesson } from '../lesson/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Context } from './context.js'
 */

const slices = 3
const sliceMs = 150
const bareServer = { dir: fileURLToPath(new URL('bare-server', import.meta.url)), shownDir: 'bare server' }

/**
 * What a bare Node.js server answers under the load of each gate on a rate: this machine's limit. Evidence beside the
 * verdict.
 *
 * @param {Pick<Context, 'lesson' | 'session'>} context
 * @param {Generator} generator
 * @returns {Promise<Map<string, number>>} answers a second, by load
 */
export async function measureLimits ({ lesson, session }, generator) {
  /** @type {Map<string, number>} */
  const limits = new Map()
  const loads = limitedLoads(lesson)
  if (loads.length === 0) return limits
  const { server, failure } = await session.start('baseline', bareServer)
  if (failure !== null) return limits
  try {
    for (const load of loads) {
      // Its answers are not the lesson's, and are not verified.
      const order = { instance: 'limit#1', load, port: server.port, sliceMs, sliceAnswers: 10, unchecked: true }
      // A process that has just started is slow.
      await generator.slice(order)
      const rates = []
      for (let slice = 0; slice < slices; slice++) rates.push((await generator.slice(order)).rate)
      limits.set(load, median(rates))
    }
    return limits
  } finally {
    await session.stop(server)
    await generator.forget('limit#1')
  }
}

/**
 * Of clients that wait for their answers, and on a server that lasts: elsewhere a rate has other limits.
 *
 * @param {Lesson} lesson
 */
function limitedLoads ({ gates, loads }) {
  return [...new Set(gates.filter(({ kind }) => kind === 'rate').map(({ load }) => load))]
    .filter((name) => loads[name].arrivals === undefined && !loads[name].fresh)
}

/**
 * @param {GateResult} gate
 * @param {Lesson} lesson
 * @param {Map<string, number>} limits by load
 * @returns {GateResult}
 */
export function withLimit (gate, { gates }, limits) {
  const limit = limits.get(gates.find(({ name }) => name === gate.name)?.load ?? '')
  return gate.kind === 'rate' && limit !== undefined ? { ...gate, limit } : gate
}
