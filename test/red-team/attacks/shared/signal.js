import { environmentOf } from './others.js'

/**
 * The only signals that the red team sends: to the check that it attacks, which is its parent, and to that check's own
 * processes, which carry its marker. Whoever runs the tests has other processes, too.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
export function signal (pid, name) {
  const run = process.env.MAKE_IT_FAST_RUN
  if (run === undefined || !(pid > 1)) return
  const environment = environmentOf(pid)
  const isOfTheCheck = ['RUN', 'HELPER'].some((kind) => environment.includes(`MAKE_IT_FAST_${kind}=${run}`))
  if (pid !== process.ppid && !isOfTheCheck) return
  try {
    process.kill(pid, name)
  } catch {}
}
