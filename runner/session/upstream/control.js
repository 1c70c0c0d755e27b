import http from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../server/port.js'

/** @import { Fault, Upstream } from './types.js' */

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
 * @param {Pick<Upstream, 'reset'>} upstream
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function openFaultControl (upstream) {
  const server = http.createServer(async (req, res) => {
    const faults = req.method === 'POST' ? readFaults(await text(req).catch(() => '')) : null
    if (faults === null) return res.writeHead(400).end(`${usage}\n`)
    // It fails only where everything is being stopped.
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
