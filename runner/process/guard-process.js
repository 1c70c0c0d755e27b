import { serveOrders } from './child.js'

/** @import { Entry } from './proc.js' */

/**
 * The process of the guard. What it needs to stop anything it imports a moment later, because every run waits for its
 * start, and not only when it has to, because the workshop may have been moved by then.
 */

const loadAfterMs = 500
const [runMarker, dir, identity] = process.argv.slice(2)
/** @type {Map<number, Entry>} */
const noted = new Map()
/** @type {Promise<typeof import('./stop.js')> | undefined} */
let loading
const load = () => (loading ??= import('./stop.js'))
setTimeout(load, loadAfterMs).unref()

serveOrders({
  note: (one) => { noted.set(one.pid, one) },
  forget: ({ pid }) => { noted.delete(pid) }
}, {
  onOrphaned: async () => {
    const { stopEverything } = await load()
    await stopEverything({ runMarker, noted: [...noted.values()], folder: { dir, identity } })
  }
})
