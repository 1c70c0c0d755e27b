import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { entryOf, isThere, processTable, readText, signalChild, signalOurs } from '../../../runner/process/index.js'

/**
 * Runs in a separate PID namespace, so that whatever goes wrong hits nothing else, and whatever is left in it was left
 * by what it started. The first process there is a shell, which takes orphans in and sees their end, as any system's
 * does. It starts a command of the workshop again and again, kills it at given moments, and tells of each on a line of
 * its own: who of the bystanders died, and what of the workshop stayed.
 *
 * @import { Entry } from '../../../runner/process/proc.js'
 *
 * @typedef {object} Order
 * @property {string[]} args for runner/cli.js
 * @property {NodeJS.ProcessEnv} env further variables
 * @property {Moment[]} moments
 *
 * @typedef {object} Moment
 * @property {number} atMs since the start of the command
 * @property {boolean} group kill its helpers with it, as a shell's `kill -9 -PGID` does
 *
 * @typedef {object} Outcome
 * @property {number} atMs
 * @property {boolean} group
 * @property {boolean} killed false: it had ended by itself
 * @property {string[]} died bystanders
 * @property {string[]} left command lines of what was still there at the end
 * @property {number} goneMs after so long nothing was left
 */

const cli = fileURLToPath(new URL('../../../runner/cli.js', import.meta.url))
/** A machine that is busy with other tests takes its time. */
const mostMs = 10_000
const insideMs = 20
const sleeping = { stdio: /** @type {const} */ ('ignore') }

const isOnItsOwn = process.ppid === 1 && readText('/proc/1/cmdline')?.includes('in-namespace.js')
if (!isOnItsOwn) throw new Error('Commands are killed here: this runs only in a separate PID namespace.')
/** @type {Order} */
const { args, env, moments } = JSON.parse(process.argv[2])
const uuid = randomUUID()
const bystanders = Object.entries({
  // Without a separate session: in the process group of the command, too.
  'one with a similar name': () =>
    spawn('/bin/sleep', ['3600'], { ...sleeping, argv0: `${process.execPath} runner/load/generator.js` }),
  'one with the marker of another run': () =>
    spawn('/bin/sleep', ['3600'], {
      ...sleeping,
      env: {
        PATH: process.env.PATH,
        MAKE_IT_FAST_RUN: uuid,
        MAKE_IT_FAST_SERVER: `${uuid}/1`,
        MAKE_IT_FAST_HELPER: uuid
      }
    }),
  'one with an empty environment': () => spawn('/bin/sleep', ['3600'], { ...sleeping, env: {} }),
  'one in a separate session': () => spawn('/bin/sleep', ['3600'], { ...sleeping, detached: true })
}).map(([name, start]) => {
  const identity = entryOf(start().pid)
  if (identity === null) throw new Error(`${name} did not start`)
  return { name, identity }
})

for (const moment of moments) {
  const outcome = await killAt(moment)
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
  if (outcome.died.length > 0 || outcome.left.length > 0) break
}
// The shell ends with us, and with it every process in the namespace.
process.exit()

/** @param {Moment} moment @returns {Promise<Outcome>} */
async function killAt ({ atMs, group }) {
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: group
  })
  child.stdout.resume()
  child.stderr.resume()
  const identity = entryOf(child.pid)
  await sleep(atMs)
  const ended = child.exitCode !== null
  const isOfGroup = (/** @type {Entry} */ one) => one.group === child.pid
  if (group && identity) signalOurs({ noted: [identity], markers: [] }, 'SIGKILL', isOfGroup)
  else signalChild(child, 'SIGKILL')
  const killedAt = performance.now()
  while (whatIsLeft().length > 0 && performance.now() - killedAt < mostMs) await sleep(insideMs)
  const goneMs = Math.round(performance.now() - killedAt)
  const died = bystanders.filter(({ identity }) => !isThere(identity)).map(({ name }) => name)
  return { atMs, group, killed: !ended, died, left: whatIsLeft(), goneMs }
}

/** Whatever runs here except ourselves and the bystanders. */
function whatIsLeft () {
  const known = [1, process.pid, ...bystanders.map(({ identity }) => identity.pid)]
  return processTable().filter(({ pid, state }) => !known.includes(pid) && !/^[ZX]/.test(state))
    .map(({ pid }) => `${pid} ${readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim()}`)
}
