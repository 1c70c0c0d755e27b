import { serveOrders } from '../helper/serve-orders.js'

/**
 * The process of the guard. What it needs to stop anything it imports when it has to: each run waits for its start, and few
 * are killed.
 */

const [runMarker, dir, identity] = process.argv.slice(2)
/** @type {Map<number, import('../system/process-table.js').Identity>} */
const noted = new Map()

serveOrders({
  note: (one) => { noted.set(one.pid, one) },
  forget: ({ pid }) => { noted.delete(pid) }
}, {
  onOrphaned: async () => {
    const { stopEverything } = await import('./stop-everything.js')
    await stopEverything({ runMarker, noted: [...noted.values()], folder: { dir, identity } })
  }
})
