import { refuse } from './guard.js'

/**
 * A page in parts, as a stream: a newcomer gets all of them, later events carry those whose text has changed. No page
 * misses anything, because each part is complete. `http/browser.js` shows them.
 *
 * @import { ServerResponse } from 'node:http'
 * @import { Share } from './server.js'
 *
 * @typedef {Record<string, string>} Parts HTML by the name of the part
 * @typedef {ReturnType<typeof createPartStream>} PartStream
 */

/** Longer pages are sent less often. */
const usualLength = 100_000

/**
 * @param {() => Record<string, unknown> | Promise<Record<string, unknown>>} read all parts by name, as they are now
 * @param {{ share: Share, pauseMs?: number, onFault?: (error: unknown) => void }} given pauseMs: between two events, at
 *   least; onFault: a change couldn't be read, and pages keep what they have
 */
export function createPartStream (read, { share, pauseMs = 0, onFault = () => {} }) {
  const streams = createStreams(share)
  const snapshot = createSnapshot(read, (changed) => {
    toldAt = performance.now()
    // Once for all streams: there may be hundreds.
    if (streams.count() > 0) streams.writeAll(eventOf(changed))
  })
  let [isClosed, toldAt] = [false, -Infinity]
  /** @type {NodeJS.Timeout | null} */
  let timer = null
  const push = () => {
    timer = null
    // Thrown in a timer, it would end the process.
    if (streams.count() > 0) snapshot.renew().catch(onFault)
  }
  const pauseNow = () => pauseMs * Math.max(1, snapshot.event().length / usualLength)
  return {
    /** @returns {Promise<{ parts: Parts, version: number }>} */
    now: async () => {
      await snapshot.renew()
      return snapshot.read()
    },
    /** @param {ServerResponse} res @throws with a status if there are too many streams */
    join: async (res) => {
      await snapshot.renew()
      if (isClosed || res.destroyed) return
      streams.open(res)
      streams.write(res, snapshot.event())
    },
    /** Something may have changed. */
    invalidate: () => {
      snapshot.invalidate()
      if (!isClosed) timer ??= setTimeout(push, Math.max(0, toldAt + pauseNow() - performance.now())).unref()
    },
    /** Pages have to reconnect. */
    cut: streams.cut,
    close: () => {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      streams.close()
    }
  }
}

/**
 * @param {Parameters<typeof createPartStream>[0]} read
 * @param {(changed: Parts) => void} onChange called before anyone can read what has changed
 */
function createSnapshot (read, onChange) {
  let newest = { parts: /** @type {Parts} */ ({}), version: 0 }
  /** All parts, made for the first who wants them. @type {Buffer | null} */
  let event = null
  let isOld = true
  /** @type {Promise<void> | null} */
  let reading = null
  const readAll = async () => {
    while (isOld) {
      isOld = false
      try {
        const parts = Object.fromEntries(Object.entries(await read()).map(([name, part]) => [name, String(part)]))
        const changed = changedParts(newest.parts, parts)
        if (Object.keys(changed).length === 0) continue
        newest = { parts, version: newest.version + 1 }
        event = null
        onChange(changed)
      } catch (error) {
        isOld = true
        throw error
      }
    }
  }
  return {
    read: () => newest,
    event: () => (event ??= eventOf(newest.parts)),
    invalidate: () => { isOld = true },
    /** What changes while it reads is read at once. */
    renew: () => (reading ??= readAll().finally(() => { reading = null }))
  }
}

/** What is gone is empty. Pure. @param {Parts} before @param {Parts} now @returns {Parts} */
function changedParts (before, now) {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(now, name)).map((name) => [name, ''])
  return Object.fromEntries([...gone, ...Object.entries(now).filter(([name, text]) => before[name] !== text)])
}

/** @param {Parts} parts */
function eventOf (parts) {
  return Buffer.from(`id: \nevent: parts\ndata: ${JSON.stringify(parts)}\n\n`)
}

/** Forwarders close silent connections. */
const heartbeatMs = 15_000

/** A client that doesn't read is cut off, and reconnects. */
const mostUnreadBytes = 4 * 1024 * 1024

/** Connections of server-sent events. @param {Share} share of all that may be open */
function createStreams (share) {
  /** @type {Set<ServerResponse>} */
  const clients = new Set()
  const write = (/** @type {ServerResponse} */ res, /** @type {string | Buffer} */ text) => {
    if (res.writableLength > mostUnreadBytes) res.destroy()
    // Past the response, which would hold each write until the next tick: there may be hundreds.
    else (res.socket ?? res).write(text)
  }
  const writeAll = (/** @type {string | Buffer} */ text) => { for (const res of clients) write(res, text) }
  const cut = () => { for (const res of clients) res.end() }
  const heartbeat = setInterval(() => writeAll(':\n\n'), heartbeatMs).unref()
  return {
    count: () => clients.size,
    /** @param {ServerResponse} res @throws with a status if there are too many */
    open: (res) => {
      const leave = share.enter(res.req.socket.remoteAddress)
      if (leave === null) {
        throw refuse(429, 'Too many pages that follow the workshop are open, here or elsewhere: close some of yours.')
      }
      // It ends with its connection, and has no chunks.
      res.removeHeader('Transfer-Encoding')
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
      res.write('retry: 1000\n\n')
      clients.add(res)
      res.on('close', () => {
        clients.delete(res)
        leave()
      })
    },
    write,
    writeAll,
    cut,
    close: () => {
      clearInterval(heartbeat)
      cut()
    }
  }
}
