import { findLessons, lessonsRoot, loadLesson, readTimes } from '../../lesson/index.js'
import { coreSpeed, cpuLimit, judgedOn, paceOf } from '../../process/index.js'
import { blockText } from '../../report/index.js'
import { say } from '../say.js'

/** @import { Given, Output } from '../say.js' */

export const options = {}

export const usage = 'npm run doctor'

export const help = `Is this machine fit to measure?
Looks at Node.js, cores, load, power, ports and folders, measures two identical servers against each other for a few
seconds, and says how long a check of each lesson takes here. Exit code: 0 fit, 2 fit with doubts, 3 not fit.`

/** @param {Given} given */
export async function run ({ stdout, env, signal }) {
  const { concludeFitness } = await import('../../check/index.js')
  const { examineMachine, hasState } = await import('../examine.js')
  const found = await examineMachine({ stdout, env, signal })
  if (hasState(found, 'bad')) return 3
  stdout.write('\n')
  await showExpectations({ stdout, env })
  say(stdout, concludeFitness(found))
  return hasState(found, 'doubt') ? 2 : 0
}

/** @param {{ stdout: Output, env: NodeJS.ProcessEnv }} given */
async function showExpectations ({ stdout, env }) {
  const entries = await Promise.all((await findLessons({ env })).map(loadLesson))
  const { expectations } = await import('../../check/index.js')
  const expected = expectations(entries, {
    times: readTimes(lessonsRoot(env)),
    pace: paceOf(coreSpeed(), cpuLimit()),
    machine: judgedOn()
  })
  const rows = expected.filter(({ text }) => text !== '').map(({ lesson, text }) => [lesson, text])
  if (rows.length === 0) return
  say(stdout, 'What a check takes here:')
  stdout.write(`${blockText({ rows }, { stream: stdout })}\n\n`)
}
