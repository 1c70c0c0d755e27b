/** @import { Lesson } from '../../../../../runner/lesson/index.js' */

/**
 * For the tests of the engine: a load plan has to tell 4 ms from 12 ms.
 *
 * @type {Pick<Lesson, 'id' | 'title' | 'summary' | 'kind' | 'plan' | 'gates'>}
 */
export default {
  id: 'plan',
  title: 'Plan',
  summary: 'Measure well.',
  kind: 'load plan',
  plan: {
    slowness: 3,
    budgetMs: 1000,
    files: ({ slowness }) => ({ 'machine.json': JSON.stringify({ serviceMs: 4 * slowness }) }),
    check: ({ status, text }) => status === 200 && text === 'done' ? undefined : `expected status 200, got ${status}.`
  },
  gates: /** @type {any} */ ([
    { name: 'apart', kind: 'apart', target: 1.3, look: 'What limits your load?' },
    { name: 'alike', kind: 'alike', target: 1.9, look: 'What differs between two runs?' }
  ])
}
