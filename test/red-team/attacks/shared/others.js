import fs from 'node:fs'

/**
 * What a server can learn on Linux about the other processes of its check, which run under the same user.
 */

/** @param {string} file */
function read (file) {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** @param {number} pid @returns {string[]} `NAME=value` */
export function environmentOf (pid) {
  return read(`/proc/${pid}/environ`).split('\0')
}

/**
 * Looking for processes costs time, and time that is used while the other server is measured would be noticed.
 *
 * @template T
 * @param {() => T} look
 */
function nowAndThen (look) {
  let at = -Infinity
  /** @type {T} */
  let found
  return () => {
    if (performance.now() - at < 700) return found
    found = look()
    at = performance.now()
    return found
  }
}

const pids = () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)

/**
 * The other servers of this check: the slow one, and the oracle.
 *
 * @returns {{ pid: number, port: number, dataDir: string, upstream: string | undefined, dir: string }[]}
 */
export const otherServers = nowAndThen(() => {
  return pids().filter((pid) => pid !== process.pid).flatMap((pid) => {
    const lines = environmentOf(pid)
    const of = (/** @type {string} */ name) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)
    const { MAKE_IT_FAST_RUN, MAKE_IT_FAST_SERVER } = process.env
    if (of('MAKE_IT_FAST_RUN') !== MAKE_IT_FAST_RUN || of('MAKE_IT_FAST_SERVER') === MAKE_IT_FAST_SERVER) return []
    try {
      const dir = fs.readlinkSync(`/proc/${pid}/cwd`)
      // Another one of our own is no target.
      if (dir === process.cwd()) return []
      return [{ pid, port: Number(of('PORT')), dataDir: of('DATA_DIR') ?? '', upstream: of('UPSTREAM_URL'), dir }]
    } catch {
      return []
    }
  })
})

/**
 * The check itself and what it has started besides servers: the load generator, the upstream.
 *
 * @returns {{ pid: number, name: string }[]}
 */
export const helpers = nowAndThen(() => {
  return pids().flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const name = /runner\/(\w+)\/\w+\.js/.exec(read(`/proc/${pid}/cmdline`))?.[1]
    return parent === process.ppid && name ? [{ pid, name }] : []
  })
})
