/** @import { Lesson } from '../../../../../runner/lesson/index.js' */

/**
 * A lesson for the tests of sequences: notes that can be written and read, and survive a restart.
 *
 * @type {Lesson}
 */
export default {
  id: 'notes',
  title: 'Notes',
  summary: 'Keep notes.',
  operations: {
    all: { rule: 'sends all notes', draw: () => ({ path: '/notes' }) },
    one: {
      rule: 'sends one note',
      weight: 3,
      draw: ({ random, about }) => about
        ? (answerOf) => ({ path: answerOf(about).headers.location })
        : { path: `/notes/${random.int(1, 9)}` }
    },
    add: {
      rule: 'takes a note',
      effect: 'shows a new note in the next read',
      touches: ['one', 'all'],
      weight: 2,
      draw: ({ random }) => ({ method: 'POST', path: '/notes', json: { text: random.word(5) } }),
      expects: (step, answer, { accepted }) =>
        answer.json().id === accepted.filter(({ name }) => name === 'add').length + 1 ? null : 'another id'
    }
  },
  sequence: { steps: 40, restart: true },
  contract: [],
  loads: {
    notes: { stream: () => () => ({ path: '/notes', check: () => undefined }), connections: 4, sliceMs: 50 }
  },
  gates: [{ name: 'notes', kind: 'rate', load: 'notes', target: 2, look: 'Where does the time go?' }],
  mechanism: { expected: 'CPU time falls', load: 'notes', cpuPerRequest: 'falls' }
}
