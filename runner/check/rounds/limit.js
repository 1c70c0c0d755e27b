import { fileURLToPath } from 'node:url'
import { median } from '../../judge/index.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { RoundsContext } from './rounds.js'
 */

const slices = 5
const bareServer = { dir: fileURLToPath(new URL('bare-server', import.meta.url)), shownDir: 'bare server' }

/**
 * What a bare Node.js server answers under the load of each gate with tiers: how much of this machine's limit is
 * reached. Evidence beside the verdict.
 *
 * @param {RoundsContext} context
 * @param {GateResult[]} gates
 * @returns {Promise<GateResult[]>} with `limit` where it was measured
 */
export async function measureLimit ({ lesson, session, generator }, gates) {
  if (gates.every(({ tiers }) => tiers === null)) return gates
  const { server, failure } = await session.start('baseline', bareServer)
  if (failure !== null) return gates
  try {
    const measured = []
    for (const gate of gates) {
      const name = lesson.gates.find((each) => each.name === gate.name)?.load
      if (gate.tiers === null || !name) {
        measured.push(gate)
        continue
      }
      const order = {
        instance: 'limit#1',
        load: name,
        port: server.port,
        sliceMs: 200,
        sliceAnswers: 10,
        unchecked: true
      }
      // A process that has just started is slow.
      await generator.slice(order)
      const rates = []
      for (let slice = 0; slice < slices; slice++) {
        // Its answers are none of the lesson's: nobody looks at them.
        const { rate } = await generator.slice(order)
        rates.push(rate)
      }
      measured.push({ ...gate, limit: median(rates) })
    }
    return measured
  } finally {
    await session.stop(server)
    await generator.forget('limit#1')
  }
}
