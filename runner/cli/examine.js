import os from 'node:os'
import { examineAtRest, examineUnderLoad } from '../check/index.js'
import { workspaceRoot } from '../lesson/index.js'
import { describeMachine, inTurn } from '../process/index.js'
import { blockText } from '../report/index.js'
import { say } from './say.js'

/**
 * @import { Finding } from '../check/index.js'
 * @import { Given, Output } from './say.js'
 */

const marks = { good: 'ok', doubt: 'doubt', bad: 'bad' }

/**
 * Is this machine fit to measure? Shows each finding as soon as it is known.
 *
 * @param {Pick<Given, 'stdout' | 'env' | 'signal'>} given
 * @returns {Promise<Finding[]>} nothing is measured if a finding at rest is bad
 */
export async function examineMachine ({ stdout, env, signal }) {
  const machine = describeMachine()
  say(stdout, `${machine.cpu}, ${machine.cores} cores, ${machine.platform}, Node.js ${machine.node}`)
  stdout.write('\n')

  const first = await examineAtRest({ folders: [os.tmpdir(), workspaceRoot(env)], signal })
  showFindings(first, stdout)
  if (hasState(first, 'bad')) return first

  const turn = { about: 'the doctor', tell: (/** @type {string} */ sentence) => say(stdout, sentence), signal }
  const second = await inTurn(turn, () => {
    stdout.write('\n')
    return examineUnderLoad({ tell: turn.tell, signal })
  })
  showFindings(second, stdout)
  return [...first, ...second]
}

/** @param {readonly Finding[]} findings @param {Finding['state']} state */
export function hasState (findings, state) {
  return findings.some((finding) => finding.state === state)
}

/** @param {readonly Finding[]} findings @param {Output} stdout */
export function showFindings (findings, stdout) {
  const rows = findings.flatMap(({ state, what, fix }) => [[marks[state], what], ...fix ? [['', fix]] : []])
  stdout.write(`${blockText({ rows }, { stream: stdout })}\n`)
}
