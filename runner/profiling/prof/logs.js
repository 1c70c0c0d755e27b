import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'

/** The VM state in the log of an idle tick. */
const idleState = '8'

/**
 * The logs that V8 left in a folder, one per isolate.
 *
 * @typedef {object} ProfLog
 * @property {string} file
 * @property {string} whose `main thread`, `worker thread`, `main thread of process 4711`
 * @property {number} ticks
 * @property {number} idle ticks while the event loop had nothing to do; Node.js 26 doesn't take them
 *
 * @param {string} folder
 * @param {number} pid of the server's first process
 * @returns {Promise<ProfLog[]>} the one with the most work first
 */
export async function profLogs (folder, pid) {
  const logs = []
  for (const name of fs.readdirSync(folder)) {
    const log = whoseLog(name, pid)
    if (log === null) continue
    const file = path.join(folder, name)
    logs.push({ file, whose: log.whose, isFirst: log.isFirst, ...await ticksIn(file) })
  }
  const busy = (/** @type {ProfLog} */ { ticks, idle }) => ticks - idle
  return logs
    .sort((a, b) => busy(b) - busy(a) || Number(b.isFirst) - Number(a.isFirst))
    .map(({ file, whose, ticks, idle }) => ({ file, whose, ticks, idle }))
}

/**
 * @param {string} name `isolate-0x2b1c00-4711-main.log`
 * @param {number} pid
 * @returns {{ whose: string, isFirst: boolean } | null} null: not one of ours
 */
export function whoseLog (name, pid) {
  const [, process, kind] = /^isolate-[^-]+-(\d+)-(main|thread)\.log$/.exec(name) ?? []
  if (kind === undefined) return null
  const thread = kind === 'main' ? 'main thread' : 'worker thread'
  return Number(process) === pid
    ? { whose: thread, isFirst: kind === 'main' }
    : { whose: `${thread} of process ${process}`, isFirst: false }
}

/** @param {string} file @returns {Promise<{ ticks: number, idle: number }>} */
async function ticksIn (file) {
  let [ticks, idle] = [0, 0]
  for await (const line of readline.createInterface({
    input: fs.createReadStream(file, 'latin1'),
    crlfDelay: Infinity
  })) {
    if (!line.startsWith('tick,')) continue
    ticks++
    if (line.split(',', 6)[5] === idleState) idle++
  }
  return { ticks, idle }
}
