import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { runSelfTest, diagnose, diagnoseDeeply } from '../../check/index.js'
import { workspaceRoot, lessonsRoot } from '../../lesson/index.js'
import { blockText } from '../../report/index.js'
import { cpuBetween, cpuSnapshot, describeMachine, checkPlaces, inTurn, sweepPlaces } from '../../system/index.js'
import { say } from '../say.js'

/**
 * @import { Finding } from '../../check/index.js'
 * @import { MachineResult } from '../../judge/index.js'
 * @import { Given } from '../main.js'
 */

export const options = { deep: { type: 'boolean' } }

export const usage = 'npm run doctor [-- --deep]'

export const help = `Is this machine fit to measure? Looks at Node.js, cores, load, power, ports and folders, and
measures two identical servers against each other for a few seconds. Exit code: 0 fit, 2 fit with doubts, 3 not fit.

  --deep   half a minute: two identical servers, and two whose true ratio is known; says how small a
           difference a check can tell on this machine
`

/** Far enough from 1 to be told on a noisy machine, near enough that a bias would show. */
const knownRatio = 1.5
const deepMs = 12_000

const marks = { good: 'ok', doubt: 'doubt', bad: 'bad' }

/** @param {Given} given */
export async function run ({ values, stdout, env, signal }) {
  const show = (/** @type {Finding[]} */ findings) => {
    const rows = findings.flatMap(({ state, what, mend }) => [[marks[state], what], ...mend ? [['', mend]] : []])
    stdout.write(`${blockText({ rows }, { stream: stdout })}\n`)
  }
  const machine = describeMachine()
  say(stdout, `${machine.cpu}, ${machine.cores} cores, ${machine.platform}, Node.js ${machine.node}`)
  stdout.write('\n')

  const places = [...await checkPlaces([os.tmpdir(), workspaceRoot(lessonsRoot(env), env)]), ...await sweepPlaces()]
  const before = cpuSnapshot()
  await sleep(1000, undefined, { signal })
  const quiet = cpuBetween(before, cpuSnapshot(), machine.cores)
  const first = diagnose({ machine, places, quiet, selfTest: null })
  show(first)
  if (first.some(({ state }) => state === 'bad')) return 3

  const turn = { about: 'the doctor', tell: (/** @type {string} */ sentence) => say(stdout, sentence), signal }
  const second = await inTurn(turn, () =>
    values.deep ? lookDeeply({ stdout, signal }) : lookShortly({ stdout, signal, machine }))
  show(second)
  const all = [...first, ...second]
  if (all.some(({ state }) => state === 'bad')) return 3
  const doubts = all.filter(({ state }) => state === 'doubt').length
  stdout.write('\n')
  say(stdout, doubts === 0
    ? 'This machine is fit to measure.'
    : 'It can measure; with the doubts above, verdicts take longer or stay inconclusive.')
  return doubts === 0 ? 0 : 2
}

/** @param {Pick<Given, 'stdout' | 'signal'> & { machine: MachineResult }} given */
async function lookShortly ({ stdout, signal, machine }) {
  stdout.write('\n')
  say(stdout, 'Two identical servers, in turn, for a few seconds …')
  return diagnose({ machine, places: [], quiet: null, selfTest: await runSelfTest({ signal }) })
}

/** @param {Pick<Given, 'stdout' | 'signal'>} given */
async function lookDeeply ({ stdout, signal }) {
  stdout.write('\n')
  say(stdout, 'Two identical servers, in turn, for twelve seconds …')
  const identical = await runSelfTest({ budgetMs: deepMs, signal })
  say(stdout, `Two servers, one ${knownRatio}× as fast, for twelve seconds …`)
  const apart = await runSelfTest({ ratio: knownRatio, budgetMs: deepMs, signal })
  return diagnoseDeeply({ identical, apart, ratio: knownRatio })
}
