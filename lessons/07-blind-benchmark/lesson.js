/** @import { Gate, Lesson } from '../../runner/lesson/index.js' */

/**
 * What's graded is a load plan, by a check of this lesson's own: there's no contract and no load.
 *
 * @type {Omit<Lesson, 'contract' | 'loads' | 'mechanism' | 'gates'> & { gates: Omit<Gate, 'load'>[] }}
 */
export default {
  id: 'blind-benchmark',
  title: 'Blind benchmark',
  part: 'Go further',
  summary: 'A benchmark that shows 99 requests/s for every server, and misses every pause. Repair the benchmark, not ' +
    'the server.',
  check: {
    writes: 'load plan',
    file: 'load.js',
    checks: ['is a load plan', 'shows the rate of the server, and not that of the load'],
    grade: async (given) => (await import('./check.js')).grade(given),
    bench: async (given) => (await import('./check.js')).bench(given)
  },

  gates: [
    {
      name: 'slower server',
      kind: 'apart',
      target: 1.1,
      look: 'What decides the number that `compare` reports: how long the server takes, or when your load sends?'
    },
    {
      name: 'twins',
      kind: 'alike',
      target: 1.1,
      look: 'What was different while `compare` measured the second server, if the servers were the same?'
    },
    {
      name: 'pauses',
      kind: 'apart',
      target: 20,
      look: 'What does `tail` send during a pause, from when on does it count, and is it sure to meet one?'
    }
  ]
}
