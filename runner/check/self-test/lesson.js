/**
 * Not a lesson for learners: the same server twice, to see how far apart this machine measures them.
 *
 * @type {import('../../catalogue/lesson.js').Lesson}
 */
export default {
  id: 'self-test',
  title: 'Two identical servers',
  summary: 'The same server twice.',
  contract: [],
  loads: {
    hash: {
      stream: ({ random }) => () => ({
        path: `/${random.word(12)}`,
        check: (answer) => answer.status === 200 && /^[0-9a-f]{64}$/.test(answer.text()) ? undefined : 'the answer is no digest.'
      }),
      connections: 8,
      sliceMs: 150
    }
  },
  gates: [
    // A target that no number of rounds can decide for two identical servers: the rounds go on until the time is up.
    { name: 'identical servers', kind: 'rate', load: 'hash', target: 1.000001, look: 'Nothing to do.' }
  ],
  mechanism: { expected: 'nothing moves', load: 'hash', cpuPerRequest: 'stays' }
}
