/** @import { Lesson } from '../../../../../runner/lesson/index.js' */

/**
 * For the tests of the engine: the slow server keeps something of every request, and asks its upstream each time.
 *
 * @type {Lesson}
 */
export default {
  id: 'kept',
  title: 'Kept',
  summary: 'Keep nothing.',
  upstream: () => () => ({ body: 'upstream' }),
  contract: [
    {
      name: 'answers with what the upstream says',
      run: async ({ get }) => { if ((await get('/')).text !== 'upstream') throw new Error('no') }
    }
  ],
  loads: {
    asks: {
      stream: () => () => ({
        path: '/',
        check: (answer) => (answer.text() === 'upstream' ? undefined : 'not what the upstream says.')
      }),
      connections: 2,
      exactly: 20,
      batches: 6,
      warmUpMs: 50
    }
  },
  gates: [
    { name: 'retained', kind: 'retained', load: 'asks', target: 10, look: 'What is kept?' },
    { name: 'footprint', kind: 'footprint', load: 'asks', target: 2, look: 'What grows?' },
    { name: 'calls', kind: 'calls', load: 'asks', target: 1.1, look: 'Which server is asked?' }
  ],
  mechanism: { expected: 'nothing', load: 'asks', cpuPerRequest: 'stays' }
}
