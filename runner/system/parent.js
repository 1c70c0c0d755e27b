import { entryOf, isThere } from './process-table.js'
import { readText } from './proc.js'

/** @import { Identity } from './process-table.js' */

const lookEveryMs = 300
/** npm sets it for everything that it starts. */
const ofNpm = 'npm_lifecycle_event'

/**
 * Watches for the end of the npm that started us. npm passes a signal to its shell at most, so we would stay, with our
 * servers and ports. Started without npm, we may be meant to outlive our parent.
 *
 * @param {() => void} onGone called once
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {() => void} ends the watching
 */
export function watchNpm (onGone, env = process.env) {
  if (env[ofNpm] === undefined) return () => {}
  const parent = process.ppid
  const above = npmAbove(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && above.every(isThere)) return
    clearInterval(timer)
    onGone()
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * npm starts a shell, which starts us or becomes us. An ancestor with npm's variable is that shell; npm is above it.
 *
 * @param {number} parent
 * @returns {Identity[]} on Linux; empty elsewhere
 */
function npmAbove (parent) {
  /** @type {Identity[]} */
  const line = []
  for (let pid = parent; pid > 1;) {
    const entry = process.platform === 'linux' ? entryOf(pid) : null
    if (entry === null) break
    line.push(entry)
    const environment = readText(`/proc/${pid}/environ`) ?? ''
    if (!environment.split('\0').some((variable) => variable.startsWith(`${ofNpm}=`))) break
    pid = entry.parent
  }
  return line
}
