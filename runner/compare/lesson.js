import { createItems } from './answers/during.js'

/**
 * A comparison as a lesson: what the load generator imports. What is sent is in the session's data.
 *
 * @import { Lesson, Stream } from '../lesson/index.js'
 */

/** One for both servers, whose answers it compares. @type {ReturnType<typeof createItems> | undefined} */
let items

/** @type {Stream} */
const stream = ({ random, data, model }) => {
  items ??= createItems(data)
  return items(random, model)
}

/** @type {Lesson} */
export default {
  id: 'comparison',
  title: 'Two servers',
  summary: '',
  contract: [],
  // For a server without a lesson's preparation.
  model: () => ({ isOriginal: false, kept: {} }),
  loads: {
    busy: { stream, connections: 16 },
    steady: { stream, connections: 16, sliceMs: 400 },
    memory: { stream, connections: 16, exactly: 200, batches: 5, warmUpAnswers: 500 }
  },
  gates: [],
  mechanism: { expected: '', load: '', cpuPerRequest: 'stays' }
}
