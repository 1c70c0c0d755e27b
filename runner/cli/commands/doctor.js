import os from 'node:os'
import { concludeFitness, examineAtRest, examineUnderLoad } from '../../check/index.js'
import { workspaceRoot, lessonsRoot } from '../../lesson/index.js'
import { blockText } from '../../report/index.js'
import { describeMachine, inTurn } from '../../system/index.js'
import { say } from '../say.js'

/**
 * @import { Finding } from '../../check/index.js'
 * @import { Given } from '../main.js'
 */

export const options = { deep: { type: 'boolean' } }

export const usage = 'npm run doctor [-- --deep]'

export const help = `Is this machine fit to measure? Looks at Node.js, cores, load, power, ports and folders, and
measures two identical servers against each other for a few seconds. Exit code: 0 fit, 2 fit with doubts, 3 not fit.

  --deep   half a minute: two identical servers, and two whose true ratio is known; says how small a
           difference a check can tell on this machine
`

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

  const first = await examineAtRest({ folders: [os.tmpdir(), workspaceRoot(lessonsRoot(env), env)], signal })
  show(first)
  if (first.some(({ state }) => state === 'bad')) return 3

  const turn = { about: 'the doctor', tell: (/** @type {string} */ sentence) => say(stdout, sentence), signal }
  const second = await inTurn(turn, () => {
    stdout.write('\n')
    return examineUnderLoad({ deep: values.deep, tell: turn.tell, signal })
  })
  show(second)
  const all = [...first, ...second]
  if (all.some(({ state }) => state === 'bad')) return 3
  stdout.write('\n')
  say(stdout, concludeFitness(all))
  return all.some(({ state }) => state === 'doubt') ? 2 : 0
}
