/**
 * A comparison as a lesson: what the load generator imports. What is sent stands in the session's data.
 *
 * @import { Lesson, Stream } from '../lesson/index.js'
 */

/** @type {Stream} */
const stream = ({ random, data: { load } }) => () => {
  const { path } = random.pick(load.requests)
  return {
    path,
    key: path,
    check: ({ status }) => status < 400 ? undefined : `it was refused with status ${status}.`
  }
}

/** @type {Lesson} */
export default {
  id: 'comparison',
  title: 'Two servers',
  summary: '',
  contract: [],
  loads: {
    busy: { stream, connections: 16 },
    steady: { stream, connections: 16, sliceMs: 400 },
    memory: { stream, connections: 16, exactly: 200, batches: 5, warmUpAnswers: 500 }
  },
  gates: [],
  mechanism: { expected: '', load: '', cpuPerRequest: 'stays' }
}
