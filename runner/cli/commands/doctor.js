import { concludeFitness } from '../../check/index.js'
import { examineMachine, hasState } from '../examine.js'
import { say } from '../say.js'

/** @import { Given } from '../main.js' */

export const options = { deep: { type: 'boolean' } }

export const usage = 'npm run doctor [-- --deep]'

export const help = `Is this machine fit to measure? Looks at Node.js, cores, load, power, ports and folders, and
measures two identical servers against each other for a few seconds. Exit code: 0 fit, 2 fit with doubts, 3 not fit.

  --deep   half a minute: two identical servers, and two whose true ratio is known; says how small a
           difference a check can tell on this machine
`

/** @param {Given} given */
export async function run ({ values, stdout, env, signal }) {
  const found = await examineMachine({ stdout, env, signal, deep: values.deep })
  if (hasState(found, 'bad')) return 3
  stdout.write('\n')
  say(stdout, concludeFitness(found))
  return hasState(found, 'doubt') ? 2 : 0
}
