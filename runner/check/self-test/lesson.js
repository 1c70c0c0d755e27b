/** @import { Item, Lesson } from '../../lesson/index.js' */

/** The work of an answer, ms on a quiet core: much more than HTTP itself costs, much less than a slice. */
export const workMs = 6

/**
 * Not a lesson for learners: two servers whose true ratio is known, to see what this machine makes of it.
 *
 * @type {Lesson}
 */
export default {
  id: 'self-test',
  title: 'Two servers whose ratio is known',
  summary: 'The same work, and a set share of it.',
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
    { name: 'work', kind: 'rate', load: 'work', target: 2, look: 'Nothing to do.' }
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
