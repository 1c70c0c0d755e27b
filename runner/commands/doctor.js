import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { runSelfTest } from '../check/index.js'
import { workspaceRoot, repositoryRoot } from '../catalogue/index.js'
import { cpuBetween, cpuSnapshot, describeMachine } from '../machine/index.js'
import { diagnose } from '../machine/diagnose.js'
import { checkPlaces } from '../machine/places.js'

export const options = {}

export const usage = 'npm run doctor'

export const help = `Is this machine fit to measure? Looks at Node.js, cores, load, power, ports and folders, and measures two
identical servers against each other for a few seconds. Exit code: 0 fit, 2 fit with doubts, 3 not fit.`

const marks = { good: 'ok   ', doubt: 'doubt', bad: 'bad  ' }

/** @param {import('../cli/main.js').Given} given */
export async function run ({ stdout, env, signal }) {
  const say = (/** @type {import('../machine/diagnose.js').Finding[]} */ findings) => {
    for (const { state, what, mend } of findings) stdout.write(`${marks[state]} ${what}\n${mend ? `      ${mend}\n` : ''}`)
  }
  const machine = describeMachine()
  stdout.write(`${machine.cpu}, ${machine.cores} cores, ${machine.platform}, Node.js ${machine.node}\n\n`)

  const places = await checkPlaces([os.tmpdir(), workspaceRoot(repositoryRoot(env), env)])
  const before = cpuSnapshot()
  await sleep(1000, undefined, { signal })
  const quiet = cpuBetween(before, cpuSnapshot(), machine.cores)
  const first = diagnose({ machine, places, quiet, selfTest: null })
  say(first)
  if (first.some(({ state }) => state === 'bad')) return 3

  stdout.write('\nTwo identical servers, in turn, for a few seconds …\n')
  const selfTest = await runSelfTest({ signal })
  const second = diagnose({ machine, places: [], quiet: null, selfTest })
  say(second)
  const all = [...first, ...second]
  if (all.some(({ state }) => state === 'bad')) return 3
  const doubts = all.filter(({ state }) => state === 'doubt').length
  stdout.write(doubts === 0 ? '\nThis machine is fit to measure.\n' : '\nIt can measure; with the doubts above, verdicts take longer or stay inconclusive.\n')
  return doubts === 0 ? 0 : 2
}
