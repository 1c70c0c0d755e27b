import { subscribe } from 'node:diagnostics_channel'
import { errorMonitor } from 'node:events'
import net from 'node:net'
import { PortTaken } from '../shared/errors.js'
import { readLink as link, listNames as names, readText as read, readLines } from './proc.js'

const linux = process.platform === 'linux'
const families = ['tcp', 'tcp6']
/** Established, and those of which one side has been closed: a client may wait for its answers after it did that. */
const connected = /^0[1458]$/
/** Still being made. */
const begun = '02'

/**
 * The TCP ports on which a process listens, and whether on IPv6 only. Linux only; null elsewhere.
 *
 * @param {readonly number[]} list @returns {{ port: number, host: string }[] | null}
 */
export function listening (list) {
  if (!linux) return null
  const own = inodesOf(list)
  return allSockets()
    .filter(({ state, inode }) => state === '0A' && own.has(inode))
    .map(({ family, local: [address, port] }) => ({ port: parseInt(port, 16), host: hostOf(family, address) }))
}

/**
 * Does one of these processes listen on this TCP port? The system's tables begin with what listens, so that little of
 * them is read. Linux only; null elsewhere.
 *
 * @param {readonly number[]} list @param {number} port
 */
export function listensOn (list, port) {
  if (!linux) return null
  const own = inodesOf(list)
  return families.some((family) => {
    for (const line of readLines(`/proc/net/${family}`)) {
      const { local, state, inode } = socketIn(family, line)
      if (state === '0A' && own.has(inode) && parseInt(local[1], 16) === port) return true
    }
    return false
  })
}

/**
 * Watches for connections to a local port. The system's table takes milliseconds to read on a busy machine, so it is
 * read only for sockets that are new, and again for those that may yet be connected.
 *
 * @param {number} port
 * @returns {(list: readonly number[]) => boolean} is one of these processes connected now? Linux only; false elsewhere
 */
export function watchConnections (port) {
  /** @type {Set<string>} */
  const harmless = new Set()
  return (list) => {
    if (!linux) return false
    const unknown = new Set([...inodesOf(list)].filter((inode) => !harmless.has(inode)))
    if (unknown.size === 0) return false
    const found = allSockets().filter(({ inode }) => unknown.has(inode))
    for (const { state, inode } of found) if (state !== begun) harmless.add(inode)
    const others = read('/proc/net/unix') ?? ''
    for (const inode of unknown) if (others.includes(` ${inode}`)) harmless.add(inode)
    return found.some(({ state, remote }) => connected.test(state) && parseInt(remote[1], 16) === port)
  }
}

/**
 * Is a process connected to this local port that may not be? Linux only; false elsewhere.
 *
 * @param {number} port
 * @param {readonly number[]} allowed pids
 */
export function hasStrangers (port, allowed) {
  const clients = () => linux ? connectionsTo(port) : []
  const unknown = clients()
  if (unknown.length === 0) return false
  const known = inodesOf(allowed)
  const strange = unknown.filter((inode) => !known.has(inode))
  // A socket that was closed meanwhile has no owner.
  const still = strange.length > 0 ? clients() : []
  return strange.some((inode) => still.includes(inode))
}

/** Inodes of the connections to a port, on the client's side. @param {number} port */
function connectionsTo (port) {
  return allSockets()
    // An inode of 0: no process has it, or not yet.
    .filter(({ state, remote, inode }) => connected.test(state) && parseInt(remote[1], 16) === port && inode !== '0')
    .map(({ inode }) => inode)
}

/** The sockets, of any kind, that some processes hold. @param {readonly number[]} list @returns {Set<string>} */
function inodesOf (list) {
  const own = new Set()
  for (const pid of list) {
    for (const fd of names(`/proc/${pid}/fd`)) {
      const inode = /socket:\[(\d+)\]/.exec(link(`/proc/${pid}/fd/${fd}`) ?? '')?.[1]
      if (inode) own.add(inode)
    }
  }
  return own
}

/** The TCP sockets of this machine, from /proc/net. */
function allSockets () {
  return families.flatMap((family) =>
    (read(`/proc/net/${family}`) ?? '').split('\n').map((line) => socketIn(family, line)))
}

/** A line of /proc/net/tcp; addresses and ports are hexadecimal. @param {string} family @param {string} line */
function socketIn (family, line) {
  const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/)
  return { family, local: local.split(':'), remote: remote.split(':'), state, inode }
}

/** @param {string} family @param {string} address as /proc/net has it */
function hostOf (family, address) {
  if (family === 'tcp6') {
    return /^0+$/.test(address) ? '::' : address === '00000000000000000000000001000000' ? '::1' : 'IPv6'
  }
  return [6, 4, 2, 0].map((at) => parseInt(address.slice(at, at + 2), 16)).join('.')
}

/**
 * A port of 127.0.0.1 that was free a moment ago, given by the operating system.
 *
 * @returns {Promise<number>}
 * @throws {PortTaken} none is left
 */
export async function freePort () {
  const probe = net.createServer()
  const port = await listen(probe).catch((error) => { throw error.code === 'EADDRINUSE' ? new PortTaken() : error })
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Lets a server of ours listen on 127.0.0.1. @param {net.Server} server @returns {Promise<number>} its port */
export function listen (server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address())
      resolve(port)
    })
  })
}

/**
 * Does anything accept a connection there?
 *
 * @param {string} host @param {number} port @param {number} [timeoutMs] @returns {Promise<boolean>}
 */
export function answers (host, port, timeoutMs = 500) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port })
    const end = (/** @type {boolean} */ answered) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(timeoutMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** By port. @type {Map<number, number>} */
const ours = new Map()

subscribe('net.client.socket', (/** @type {any} */ { socket }) => {
  const add = (/** @type {unknown} */ port, /** @type {number} */ more) =>
    ours.set(Number(port), begunTo(Number(port)) + more)
  socket.on('connectionAttempt', (/** @type {string} */ _, /** @type {unknown} */ port) => add(port, 1))
  socket.on(errorMonitor, (/** @type {any} */ { code, port }) => { if (code === 'ECONNREFUSED') add(port, -1) })
})

/** Connections that this process has begun to that port, but for those that were refused. @param {number} port */
export function begunTo (port) {
  return ours.get(port) ?? 0
}
