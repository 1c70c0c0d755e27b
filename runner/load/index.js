import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} SliceOrder
 * @property {string} life whose life, and which: `yours#2`; a server that was started anew has a new one
 * @property {string} load name of the lesson's load
 * @property {number} port on 127.0.0.1
 * @property {number} sliceMs
 * @property {number} sliceAnswers
 * @property {number} [exactly]
 * @property {number} [answerTimeoutMs]
 *
 * @typedef {object} Extra
 * @property {number} busy the generator's event loop utilisation, 0 to 1
 * @property {number} cpuMs the generator's CPU time
 * @property {number[]} probes latencies of the open loop in ms, from the moment at which each request was due
 * @property {number} probeLateMs 99th percentile of how late the generator itself sent them
 * @property {import('./closed-loop.js').Problem[]} lost connections and answers that were lost
 * @property {number} wrong answers that were complete and wrong
 * @property {number} badStatus those of them with a status of 400 or more
 * @property {import('./closed-loop.js').Problem[]} problems the first few of the wrong ones
 *
 * @typedef {import('./figures.js').SliceFigures & Extra} SliceReport
 *
 * @typedef {object} Generator
 * @property {(order: SliceOrder) => Promise<SliceReport>} slice
 * @property {(life: string) => Promise<void>} forget
 * @property {(pid: number) => void} guard stop this process tree should we be killed
 * @property {(pid: number) => void} release
 * @property {number} pid
 * @property {() => Promise<void>} close
 */

/**
 * Starts the load generator.
 *
 * @param {object} options
 * @param {string} options.module URL of a module whose default export has `loads` and, if it likes, `model`
 * @param {any} options.known handed to the streams as `data`
 * @param {string} options.seed
 * @param {string} options.marker `NAME=value` of the servers
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Generator>}
 */
export async function startGenerator ({ module, known, seed, marker, signal }) {
  const child = fork(fileURLToPath(new URL('generator.js', import.meta.url)), [], {
    serialization: 'advanced',
    execArgv: process.allowedNodeEnvironmentFlags.has('--disable-sigusr1') ? ['--disable-sigusr1'] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let last = 0
  let closed = false
  const exited = new Promise((/** @type {(value: void) => void} */ resolve) => child.once('exit', () => resolve()))
  child.on('message', (/** @type {any} */ { id, value, error }) => {
    const asker = waiting.get(id)
    waiting.delete(id)
    if (error) asker?.reject(new Error(`The load generator failed: ${error}`))
    else asker?.resolve(value)
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(signal?.aborted ? signal.reason : new Error('The load generator ended before its work was done.'))
    waiting.clear()
  })
  child.on('error', () => {})

  const ask = (/** @type {string} */ type, /** @type {any} */ order) => new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const id = ++last
    const settled = (/** @type {(value: any) => void} */ settle) => (/** @type {any} */ value) => {
      signal?.removeEventListener('abort', onAbort)
      settle(value)
    }
    waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
    child.send({ id, type, order }, (error) => { if (error) reject(error) })
  })
  const tell = (/** @type {string} */ type, /** @type {any} */ order) => {
    if (!closed && child.connected) child.send({ id: 0, type, order }, () => {})
  }

  /** @type {Generator} */
  const generator = {
    slice: (order) => ask('slice', order),
    forget: (life) => ask('forget', { life }),
    guard: (pid) => tell('guard', { pid }),
    release: (pid) => tell('release', { pid }),
    pid: child.pid ?? 0,
    close: async () => {
      closed = true
      child.kill('SIGKILL')
      await exited
    }
  }
  try {
    await ask('open', { module, known, seed, marker })
  } catch (error) {
    await generator.close()
    throw error
  }
  return generator
}
