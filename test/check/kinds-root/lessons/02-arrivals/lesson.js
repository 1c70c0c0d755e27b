/** @import { Lesson, Stream } from '../../../../../runner/lesson/index.js' */

/**
 * For the tests of the engine: one worker that takes 5 ms, and more arrivals than it can serve.
 *
 * @type {Lesson}
 */
export default {
  id: 'arrivals',
  title: 'Arrivals',
  summary: 'Turn away what you cannot serve.',
  contract: [
    { name: 'answers', run: async ({ get }) => { (await get('/')).expectStatus(200) } }
  ],
  loads: {
    rush: { stream: arrivals, connections: 2, arrivals: 2, sliceMs: 400, warmUpMs: 100 },
    calm: { stream: arrivals, connections: 2, arrivals: 0.4, sliceMs: 200, warmUpMs: 100 },
    closed: { stream: arrivals, connections: 1, sliceMs: 60, warmUpMs: 30 }
  },
  gates: [
    { name: 'wait', kind: 'latency', of: 'load', load: 'rush', target: 2, look: 'Who waits?' },
    { name: 'refusals', kind: 'refusal', load: 'rush', target: 300, look: 'When is it known?' },
    { name: 'calm', kind: 'accepted', load: 'calm', target: 0.5, look: 'Which client is refused?' },
    { name: 'tiers', kind: 'rate', load: 'closed', tiers: { low: 0.2, high: 20 }, look: 'How fast?' }
  ],
  mechanism: { expected: 'nothing', load: 'rush', cpuPerRequest: 'stays' }
}

/** @type {Stream} */
function arrivals () {
  return () => ({
    path: '/',
    refused: ({ status }) => status === 503,
    check: ({ status }) => status === 200 || status === 503 ? undefined : `expected status 200 or 503, got ${status}.`
  })
}
