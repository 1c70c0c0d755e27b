/** @import { Gate } from '../../runner/judge/index.js' */

/** Two threads that get less than this many times the work of one done can't show a higher rate. */
const leastGain = 1.6

/**
 * The gates of work that leaves the event loop: what it may not hold up, how parallel it is, and what it costs.
 *
 * @param {string} load
 * @param {object} gates
 * @param {{ name: string, look: string }} gates.latency
 * @param {{ name: string, lookAtRate: string, lookAtUse: string }} gates.parallel
 * @param {{ name: string, target: number, look: string }} gates.work
 * @returns {Gate[]}
 */
export function gatesOffLoop (load, { latency, parallel, work }) {
  return [
    { kind: 'latency', load, percentile: 99, target: 10, ...latency },
    ...parallelGates({ load, most: 2, ...parallel }),
    { kind: 'work', load, ...work }
  ]
}

/**
 * The two gates of work that shall run in parallel. The rate is what parallelism is for, but only cores that are whole
 * and free show it; elsewhere it isn't judged. The processor use counts what waits for a core as well, and so tells one
 * thread from two on a slow or busy machine, too.
 *
 * @param {object} work
 * @param {string} work.name of the gate for the rate
 * @param {string} work.load
 * @param {number} work.most what no number of cores can exceed, such as half the threads of a pool
 * @param {string} work.lookAtRate @param {string} work.lookAtUse
 * @returns {Gate[]}
 */
export function parallelGates ({ name, load, most, lookAtRate, lookAtUse }) {
  return [
    {
      name,
      kind: 'rate',
      load,
      // Cores that share a physical core, and the load itself, keep the gain below the count of cores.
      target: ({ cores, gain = cores, tellsUse }) => {
        const isShown = cores >= 2 && (gain >= leastGain || !tellsUse)
        return isShown ? Math.min(most, 1.05 + 0.2 * (cores - 2)) : undefined
      },
      dropped: 'On this machine, two threads together get hardly more done than one, so this rate isn’t judged.',
      look: lookAtRate
    },
    {
      name: 'processor use',
      kind: 'cores',
      load,
      // A primary and one tuned worker use up to 1.2 times what the slow server does; two workers, 2 times.
      target: ({ cores }) => cores < 2 ? undefined : 1.4,
      dropped: 'On one core, nothing can be computed at the same time, so the processor use isn’t judged here.',
      look: lookAtUse
    }
  ]
}
