import http from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './sockets.js'

/**
 * The service behind the servers, owned by the grader: a separate process, one port for each server, so that it knows
 * who called it, when and for what.
 *
 * @import { Random } from '../shared/random.js'
 *
 * Answering, which lesson authors write, runs in that process.
 * @typedef {(call: UpstreamCall) => UpstreamAnswer} Answering
 * @typedef {{ method: string, path: string, headers: Record<string, any>, body: Buffer }} UpstreamCall
 * @typedef {{ status?: number, headers?: Record<string, string>, json?: unknown, body?: string, delayMs?: number }}
 *   UpstreamAnswer
 * @typedef {(given: { random: Random, data: any }) => Answering} UpstreamOf
 *
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path with its query string
 * @property {number} startMs on the stub's clock
 * @property {number | null} endMs null while it's in flight
 * @property {number} status 0 while it's in flight
 *
 * @typedef {object} Fault
 * @property {string} path the beginning of the paths that it hits
 * @property {number} [status] answered instead of the real answer
 * @property {number} [delayMs] waited in addition
 * @property {number} [trickleMs] the answer begins at once, and comes for so long in pieces, of which one
 *   ends within a letter
 * @property {boolean} [hang] never answered
 * @property {boolean} [reset] the connection is cut; with trickleMs, in the middle of the answer
 *
 * @typedef {object} Upstream what one server talks to
 * @property {string} url its UPSTREAM_URL
 * @property {() => Promise<Call[]>} calls since the last reset
 * @property {() => Promise<number>} count how many calls since the last reset
 * @property {(faults?: Fault[]) => Promise<void>} reset forgets the calls, and sets what goes wrong from now on
 */

const isTime = (/** @type {unknown} */ value) => typeof value === 'number' && value >= 0
const isFlag = (/** @type {unknown} */ value) => typeof value === 'boolean'

/** @type {Record<string, (value: any) => boolean>} */
const fields = {
  path: (value) => typeof value === 'string',
  status: (value) => Number.isInteger(value) && value >= 200 && value <= 599,
  delayMs: isTime,
  trickleMs: isTime,
  hang: isFlag,
  reset: isFlag
}

/**
 * A port at which a person sets what goes wrong with the service behind a server: a POST of a JSON list of faults. Only
 * for servers that are started by hand: in a check, the server under test could use it.
 *
 * @param {Pick<Upstream, 'reset'>} upstream @returns {Promise<{ url: string, close: () => void }>}
 */
export async function openFaultControl (upstream) {
  const server = http.createServer(async (req, res) => {
    const faults = req.method === 'POST' ? readFaults(await text(req).catch(() => '')) : null
    if (faults === null) return res.writeHead(400).end(`${usage}\n`)
    // A reset fails only where everything is being stopped.
    await upstream.reset(faults).catch(() => {})
    res.end(faults.length === 0 ? 'Nothing goes wrong from now on.\n' : 'Set. An empty list, [], ends it.\n')
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const usage = 'POST a JSON list of faults, such as [{"path":"/orders","status":500}]. Each has a path and any of ' +
  'status, delayMs, trickleMs, hang and reset.'

/** Pure. @param {string} json @returns {Fault[] | null} null: it isn't a list of faults */
function readFaults (json) {
  try {
    const list = JSON.parse(json)
    return Array.isArray(list) && list.every(isFault) ? list : null
  } catch {
    return null
  }
}

/** @param {any} one */
function isFault (one) {
  return typeof one?.path === 'string' &&
    Object.entries(one).every(([name, value]) => Object.hasOwn(fields, name) && fields[name](value))
}
