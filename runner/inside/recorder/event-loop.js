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
  const state = newState()
  const { requests, requestOf, numbers } = state
  const onStart = (/** @type {any} */ { request, socket }) => {
    const number = requests.push({ port: socket.remotePort, fromUs: now(), toUs: null }) - 1
    numbers.set(request, number)
    requestOf.set(executionAsyncId(), number)
    // What ran in this callback before was the parser, for this request.
    if (state.open) state.open.request = number
  }
  const onFinish = (/** @type {any} */ { request }) => {
    const number = numbers.get(request)
    if (number !== undefined) requests[number].toUs = now()
  }
  // Node.js doesn't give promises back their speed where hooks are disabled from within one.
  const hook = createHook(hooksOf(state, () => setImmediate(pause)))
  const pause = () => {
    hook.disable()
    unsubscribe('http.server.request.start', onStart)
    unsubscribe('http.server.response.finish', onFinish)
  }
  subscribe('http.server.request.start', onStart)
  subscribe('http.server.response.finish', onFinish)
  hook.enable()
  return {
    frame: (/** @type {Moment} */ wanted) => { state.moment = wanted },
    stop: () => {
      pause()
      const { callbacks, pool, pending, fullUs } = state
      for (const { fromUs, request, type, resource } of pending.values()) {
        // A synchronous hash makes such a resource, too, which is never called back.
        const isAwaited = !type.endsWith('REQUEST') || typeof resource.ondone === 'function'
        if (isAwaited) pool.push([fromUs, null, request])
      }
      return { callbacks, pool, requests, threadId, poolSize: Number(process.env.UV_THREADPOOL_SIZE) || 4, fullUs }
    }
  }
}

function newState () {
  return {
    /** @type {Moment} */
    moment: { fromUs: Infinity, toUs: Infinity, most: Infinity },
    /** @type {LoopEvents['callbacks']} */
    callbacks: [],
    /** @type {LoopEvents['pool']} */
    pool: [],
    /** @type {LoopEvents['requests']} */
    requests: [],
    /** By the request that Node.js made of it. @type {WeakMap<object, number>} */
    numbers: new WeakMap(),
    /** By async id, what belongs to a request. @type {Map<number, number>} */
    requestOf: new Map(),
    /** By async id, what waits for the pool. @type {Map<number, any>} */
    pending: new Map(),
    /** The callback that runs. @type {{ fromUs: number, request: number | null } | null} */
    open: null,
    depth: 0,
    isOver: false,
    /** @type {number | null} */
    fullUs: null
  }
}

/**
 * No `destroy`: for promises it would cost more than all the others, and what is kept is kept for a moment.
 *
 * @param {ReturnType<typeof newState>} state
 * @param {() => void} pause called when the moment is over
 * @returns {import('node:async_hooks').HookCallbacks}
 */
function hooksOf (state, pause) {
  const { callbacks, pool, requestOf, pending } = state
  return {
    init: (id, type, trigger, resource) => {
      const mine = state.open?.request ?? requestOf.get(executionAsyncId()) ?? requestOf.get(trigger)
      if (mine === undefined) return
      requestOf.set(id, mine)
      if (isPool.test(type)) pending.set(id, { fromUs: now(), request: mine, type, resource })
    },
    before: (id) => {
      const handed = pending.get(id)
      const atUs = now()
      if (handed) {
        pending.delete(id)
        if (atUs > state.moment.fromUs) pool.push([handed.fromUs, atUs, handed.request])
      }
      const request = requestOf.get(id) ?? null
      if (state.depth++ === 0) state.open = { fromUs: atUs, request }
      else if (state.open) state.open.request ??= request
    },
    after: () => {
      const { open, moment } = state
      if (state.depth === 0 || --state.depth > 0 || !open || state.isOver) return
      const toUs = now()
      if (toUs > moment.fromUs && open.fromUs < moment.toUs) callbacks.push([open.fromUs, toUs, open.request])
      state.open = null
      if (callbacks.length >= moment.most) state.fullUs = toUs
      if (state.fullUs === null && toUs <= moment.toUs) return
      state.isOver = true
      pause()
    }
  }
}

function now () {
  return Number(process.hrtime.bigint()) / 1000
}
