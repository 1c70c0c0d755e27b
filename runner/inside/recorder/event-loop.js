import { createHook, executionAsyncId } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { threadId } from 'node:worker_threads'

/**
 * What one thread's event loop does for a moment: the borders of its callbacks, the request that each of them is for,
 * and what is handed to the thread pool. Hooks cost a server up to half of its rate, so they are on for that moment
 * alone, and a member imports this file when it's first told to.
 *
 * All times are those of process.hrtime() in µs, which is one clock for all processes of a machine, and V8's.
 *
 * @typedef {object} LoopEvents
 * @property {[from: number, to: number, request: number | null][]} callbacks request: its place in `requests`
 * @property {[from: number, to: number | null, request: number][]} pool what was with the thread pool: from the order
 *   to the callback; null: it still was there at the end
 * @property {{ port: number | undefined, fromUs: number, toUs: number | null }[]} requests port: the client's; fromUs:
 *   when the thread read it, which may be long after it was sent; toUs: when its response was handed to the system
 * @property {number} threadId
 * @property {number} poolSize threads
 * @property {number | null} fullUs when there were too many callbacks to go on
 */

/** Asynchronous work of libuv's pool. */
const isPool = /^(FSREQ|FILEHANDLECLOSEREQ|ZLIB|GETADDRINFO|GETNAMEINFO)|(?<!HTTPCLIENT)REQUEST$/

/** @type {{ stop: () => LoopEvents, frame: (moment: Moment) => void } | undefined} */
let recording

/** @typedef {{ fromUs: number, toUs: number, most: number }} Moment most: callbacks */

/** From now on it's known which request a callback is for. Nothing is kept before `frameLoop` says from when on. */
export function startLoop () {
  recording?.stop()
  recording = record()
}

/** @param {Moment} moment */
export function frameLoop (moment) {
  recording?.frame(moment)
}

/** @returns {LoopEvents} */
export function stopLoop () {
  if (!recording) throw new Error('No event loop is being recorded.')
  const events = recording.stop()
  recording = undefined
  return events
}

function record () {
  /** @type {Moment} */
  let moment = { fromUs: Infinity, toUs: Infinity, most: Infinity }
  /** @type {LoopEvents['callbacks']} */
  const callbacks = []
  /** @type {LoopEvents['pool']} */
  const pool = []
  /** @type {LoopEvents['requests']} */
  const requests = []
  /** By their async ids, what belongs to a request, and what waits for the pool. */
  const requestOf = new Map()
  const pending = new Map()
  const numbers = new WeakMap()
  /** @type {{ fromUs: number, request: number | null } | null} */
  let open = null
  let depth = 0
  /** @type {number | null} */
  let fullUs = null

  const onStart = (/** @type {any} */ { request, socket }) => {
    const number = requests.push({ port: socket.remotePort, fromUs: now(), toUs: null }) - 1
    numbers.set(request, number)
    requestOf.set(executionAsyncId(), number)
    // What ran in this callback before was the parser, for this request.
    if (open) open.request = number
  }
  const onFinish = (/** @type {any} */ { request }) => {
    const number = numbers.get(request)
    if (number !== undefined) requests[number].toUs = now()
  }
  const hook = createHook({
    init: (id, type, trigger, resource) => {
      const mine = open?.request ?? requestOf.get(executionAsyncId()) ?? requestOf.get(trigger)
      if (mine === undefined || mine === null) return
      requestOf.set(id, mine)
      if (isPool.test(type)) pending.set(id, { fromUs: now(), request: mine, type, resource })
    },
    before: (id) => {
      const handed = pending.get(id)
      if (handed) {
        pending.delete(id)
        const toUs = now()
        if (toUs > moment.fromUs) pool.push([handed.fromUs, toUs, handed.request])
      }
      const request = requestOf.get(id) ?? null
      if (depth++ === 0) open = { fromUs: now(), request }
      else if (open) open.request ??= request
    },
    after: () => {
      if (depth === 0 || --depth > 0 || !open) return
      const toUs = now()
      if (toUs > moment.fromUs && open.fromUs < moment.toUs) callbacks.push([open.fromUs, toUs, open.request])
      open = null
      if (callbacks.length >= moment.most) fullUs = toUs
      if (fullUs !== null || toUs > moment.toUs) pause()
    }
  })
  const pause = () => {
    hook.disable()
    unsubscribe('http.server.request.start', onStart)
    unsubscribe('http.server.response.finish', onFinish)
  }
  subscribe('http.server.request.start', onStart)
  subscribe('http.server.response.finish', onFinish)
  hook.enable()
  return {
    frame: (/** @type {Moment} */ wanted) => { moment = wanted },
    stop: () => {
      pause()
      for (const { fromUs, request, type, resource } of pending.values()) {
        // A synchronous hash makes such a resource, too, which no one ever calls back.
        const isAwaited = !type.endsWith('REQUEST') || typeof resource.ondone === 'function'
        if (isAwaited) pool.push([fromUs, null, request])
      }
      return { callbacks, pool, requests, threadId, poolSize: Number(process.env.UV_THREADPOOL_SIZE) || 4, fullUs }
    }
  }
}

function now () {
  return Number(process.hrtime.bigint()) / 1000
}
