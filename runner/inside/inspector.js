import { EventEmitter } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { createPendingRequests } from '../shared/pending-requests.js'

/**
 * A session with the inspector of a running Node.js process (Chrome DevTools Protocol).
 *
 * @param {string} url `ws://127.0.0.1:PORT/UUID`, as the process prints it
 * @param {{ timeoutMs?: number }} [options] for connecting and for each answer
 */
export async function connectInspector (url, { timeoutMs = 10_000 } = {}) {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    maxPayload: 256 * 1024 * 1024
  })
  const { ask, answer, fail, failAll } = createPendingRequests()
  const events = new EventEmitter()
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', failAll)
  socket.on('close', () => failAll(new Error('The inspector closed the session.')))
  socket.on('message', (data) => {
    const { id, result, error, method, params } = JSON.parse(String(data))
    if (method !== undefined) events.emit(method, params)
    else if (error) fail(id, new Error(error.message))
    else answer(id, result)
  })
  return {
    /**
     * Rejects when the method fails, no answer comes in time, or the session ends.
     *
     * @param {string} method @param {object} [params] @returns {Promise<any>}
     */
    send: async (method, params = {}) => {
      if (socket.readyState !== WebSocket.OPEN) throw new Error('The inspector closed the session.')
      const late = `The inspector did not answer ${method} within ${timeoutMs / 1000} s.`
      return ask((id) => socket.send(JSON.stringify({ id, method, params })), { timeoutMs, late })
    },
    on: events.on.bind(events),
    once: events.once.bind(events),
    /** A process with an open session doesn't end by itself: close it as soon as you can. */
    close: () => socket.terminate()
  }
}

/**
 * The activity of a server that doesn't answer: V8's debugger pauses JavaScript even in an endless loop.
 *
 * @typedef {{ name: string, file: string, line: number, id: string }} SourceLocation in a function; id: of the function
 * @typedef {{ turns: boolean, isBusy: boolean, stacks: SourceLocation[][] }} ServerActivity turns: its event loop does;
 *   stacks: what its main thread ran at a few moments, the innermost function first
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, json?: unknown }} Request
 * @typedef {{ inspector: () => string | null, port: number, dir: string, hasExited: () => boolean }} InspectedServer
 */

const answerMs = 1000
const startMs = 2000
const turnMs = 500
const cpuMs = 300
const pauseMs = 400
const moments = 3
const busyShare = 0.5

/**
 * Starts a server once more, asks it what it did not answer, and looks at what it does then. Takes about 3 s.
 *
 * @param {object} given
 * @param {(options: { inspect: true, readyTimeoutMs: number, onSpawn: (server: InspectedServer) => void }) =>
 *   Promise<unknown>} given.start onSpawn: is called before it listens
 * @param {Request | null} given.request null: it did not get as far as listening
 * @returns {Promise<string | null>} how your sentence about it goes on: `your server is busy in …`; null where it
 *   answers this time, or does not let itself be looked into
 */
export async function seeWhatHangs ({ start, request }) {
  /** @type {InspectedServer | undefined} */
  let server
  const started = start({ inspect: true, readyTimeoutMs: startMs, onSpawn: (one) => { server = one } })
  // Where it does not get to listening it is looked at meanwhile.
  if (request !== null) await started
  else await sleep(answerMs)
  if (server === undefined || server.hasExited()) return null
  if (request !== null && await answers(server.port, request)) return null
  const url = server.inspector()
  const seen = url === null ? null : await seeWhatItDoes(url).catch(() => null)
  await started
  // One that waits before it listens has been told what to look for.
  return seen === null || (request === null && !seen.isBusy) ? null : sayWhatItDoes(seen, server.dir)
}

/** @param {number} port @param {Request} request @returns {Promise<boolean>} false: it said nothing, and still may */
function answers (port, { method = 'GET', path, headers, json }) {
  return new Promise((resolve) => {
    const type = json === undefined ? {} : { 'Content-Type': 'application/json' }
    const options = { host: '127.0.0.1', port, method, path, headers: { ...type, ...headers }, agent: false }
    const req = http.request(options, (res) => {
      res.resume().on('close', () => end(true))
    })
    const end = (/** @type {boolean} */ isAnswered) => {
      clearTimeout(timer)
      resolve(isAnswered)
      // The server is looked at while a client waits.
      if (isAnswered) req.destroy()
      else req.socket?.unref()
    }
    const timer = setTimeout(() => end(false), answerMs)
    req.on('error', () => end(true))
    req.end(json === undefined ? undefined : JSON.stringify(json))
  })
}

/** @param {string} url of its inspector @returns {Promise<ServerActivity>} */
async function seeWhatItDoes (url) {
  const session = await connectInspector(url, { timeoutMs: turnMs + cpuMs + moments * pauseMs })
  try {
    const evaluate = (/** @type {string} */ expression) =>
      session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    const turns = await within(turnMs, evaluate('new Promise((resolve) => setTimeout(resolve, 0))')) !== undefined
    const isBusy = !turns || await cpuShare(evaluate) > busyShare
    /** @type {SourceLocation[][]} */
    const stacks = []
    if (!isBusy) return { turns, isBusy, stacks }
    /** URLs by script, which a frame doesn't name itself. @type {Map<string, string>} */
    const urls = new Map()
    session.on('Debugger.scriptParsed', ({ scriptId, url }) => urls.set(scriptId, url))
    await session.send('Debugger.enable')
    while (stacks.length < moments) {
      const paused = new Promise((resolve) => session.once('Debugger.paused', resolve))
      await session.send('Debugger.pause')
      const stack = await within(pauseMs, paused)
      if (stack === undefined) break
      stacks.push(stack.callFrames.map((/** @type {any} */ frame) => placeOf(frame, urls)))
      await session.send('Debugger.resume')
      await sleep(20)
    }
    return { turns, isBusy, stacks }
  } finally {
    session.close()
  }
}

/** @param {(expression: string) => Promise<any>} evaluate @returns {Promise<number>} of one core, all threads */
async function cpuShare (evaluate) {
  const read = async () => {
    const { result: { value } } = await evaluate('(({ user, system }) => (user + system) / 1000)(process.cpuUsage())')
    return value
  }
  const [before, since] = [await read(), performance.now()]
  await sleep(cpuMs)
  return (await read() - before) / (performance.now() - since)
}

/** @template T @param {number} ms @param {Promise<T>} promise @returns {Promise<T | undefined>} undefined: too late */
async function within (ms, promise) {
  const over = new AbortController()
  const late = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)
  return Promise.race([promise.catch(() => undefined), late]).finally(() => over.abort())
}

/** @param {any} frame of a call @param {Map<string, string>} urls by script @returns {SourceLocation} */
function placeOf ({ functionName, location, functionLocation = location }, urls) {
  const url = urls.get(location.scriptId) ?? ''
  return {
    name: functionName,
    file: url.startsWith('file:') ? fileURLToPath(url) : url,
    line: location.lineNumber + 1,
    id: [functionLocation.scriptId, functionLocation.lineNumber, functionLocation.columnNumber].join(':')
  }
}

/**
 * Pure.
 *
 * @param {ServerActivity} seen
 * @param {string} dir the folder of the server
 * @returns {string} `your server is busy in …`
 */
export function sayWhatItDoes ({ turns, isBusy, stacks }, dir) {
  if (!isBusy) return 'your server is idle and waits. Does every path through the handler end the response?'
  const place = lastingPlace(stacks, dir)
  if (place === null) {
    return turns
      ? 'your server’s main thread waits while another of its threads is busy.'
      : 'your server doesn’t get back to its event loop. Which synchronous call, or which loop, doesn’t end?'
  }
  const file = place.file.slice(dir.length + 1)
  const where = place.name === '' ? `at ${file}:${place.line}` : `in ${place.name} (${file}:${place.line})`
  return turns ? `your server is busy ${where}, again and again.` : `your server is busy ${where} and doesn’t return.`
}

/**
 * The innermost function of the learner's that was running at all moments: what it calls comes and goes.
 *
 * @param {SourceLocation[][]} stacks @param {string} dir @returns {SourceLocation | null}
 */
function lastingPlace (stacks, dir) {
  const [first = [], ...others] = stacks.map((stack) => stack.filter(({ file }) => {
    const inner = file.startsWith(dir) ? file.slice(dir.length) : ''
    return /^[/\\]/.test(inner) && !/[/\\]node_modules[/\\]/.test(inner)
  }))
  return first.find(({ id }) => others.every((stack) => stack.some((one) => one.id === id))) ?? first[0] ?? null
}

/**
 * Memory that a process still holds after a forced collection: bytes of objects on V8's heap, and of buffers outside.
 * Both are the process's own word: it could close its inspector and answer at that port itself. A lesson about memory
 * also judges the resident memory, which is read from outside.
 *
 * @param {string} url of its inspector
 * @param {{ timeoutMs?: number }} [options] for connecting and for each answer
 * @returns {Promise<{ heapBytes: number, externalBytes: number }>}
 * @throws {Error} the process does not let itself be inspected
 */
export async function readMemory (url, options) {
  const session = await connectInspector(url, options)
  try {
    // Finalisers run after the first collection, and let go of more.
    await session.send('HeapProfiler.collectGarbage')
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'process.memoryUsage().external',
      returnByValue: true
    })
    return { heapBytes: usedSize, externalBytes: Number.isFinite(result.value) ? Math.max(0, result.value) : 0 }
  } finally {
    session.close()
  }
}
