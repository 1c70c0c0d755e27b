/** @import { Item, Lesson } from '../../lesson/index.js' */

/**
 * Not a lesson for learners: the same server twice, to see what this machine makes of it. The load generator imports
 * it, too.
 *
 * @type {Lesson}
 */
export default {
  id: 'self-test',
  title: 'Two identical servers',
  summary: 'The same work, twice.',
  contract: [
    {
      name: 'answers with the word backwards',
      run: async ({ get, random, fail }) => {
        const word = random.word(12)
        if ((await get(`/${word}`)).text !== backwards(word)) fail('The word does not come back backwards.')
      }
    }
  ],
  loads: {
    work: {
      stream: ({ random }) => () => asked(random.word(12)),
      connections: 8,
      sliceMs: 150,
      warmUpMs: 500,
      probe: { stream: () => () => asked('healthz'), rate: 50 }
    }
  },
  gates: [
    // A target that no number of rounds can decide: they go on until the time is up.
    { name: 'work', kind: 'rate', load: 'work', target: 1.000001, look: 'Nothing to do.' }
  ],
  mechanism: { expected: 'nothing moves', load: 'work', cpuPerRequest: 'stays' }
}

/** @param {string} word @returns {Item} */
function asked (word) {
  return {
    path: `/${word}`,
    key: word,
    check: (answer) =>
      answer.status === 200 && answer.text() === backwards(word) ? undefined : 'the word does not come back backwards.'
  }
}

/** @param {string} word */
function backwards (word) {
  return [...word].reverse().join('')
}
