import { WorkshopError } from '../../errors.js'

/**
 * @import { Role, Server } from '../../process/index.js'
 * @import { Side } from './side.js'
 */

/**
 * A server that runs already, in any language: nothing is known of its processes.
 *
 * @param {string} address
 * @param {{ flag: string, role: Role }} given
 * @returns {Side}
 * @throws {WorkshopError} it is no address of this machine
 */
export function runningAt (address, { flag, role }) {
  const url = URL.canParse(address) ? new URL(address) : null
  const isHere = url !== null && url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
  if (!isHere || url.port === '' || url.pathname !== '/' || url.search !== '') {
    throw new WorkshopError(`${flag} takes the address of a server on this machine, such as ` +
      `http://127.0.0.1:3000, got ${address}.`)
  }
  return { name: url.host, dir: () => process.cwd(), running: handleOf(role, Number(url.port)) }
}

/** @param {Role} role @param {number} port @returns {Server} */
function handleOf (role, port) {
  return {
    role,
    // Its own is unknown: what is seen of this one is the same for both.
    pid: process.pid,
    port,
    dir: '',
    dataDir: '',
    patience: 1,
    upstream: null,
    origin: `http://127.0.0.1:${port}`,
    proof: { noted: [], markers: [] },
    hasExited: () => false,
    exited: new Promise(() => {}),
    howItEnded: () => null,
    children: async () => null,
    output: () => '',
    outputBytes: () => 0,
    use: async () => null,
    resident: async () => null,
    members: () => [],
    isStopped: () => false,
    isConnectedTo: () => false,
    inspector: () => null,
    stop: async () => ({ forced: false, orphans: 0 })
  }
}
