import { contract } from './contract.js'
import { makeData } from './data.js'
import { operations } from './operations.js'
import { promises } from './promises.js'
import { makeModel, traffic } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'framework',
  title: 'The price of a framework',
  summary: 'A dozen middlewares run for every request. Find out what each costs and which of them a request needs.',

  data: makeData,

  operations,
  promises,

  sequence: { steps: 160 },

  contract,

  model: makeModel,

  loads: {
    traffic: { stream: traffic, connections: 8, sliceMs: 250 }
  },

  gates: [
    {
      name: 'traffic',
      kind: 'rate',
      load: 'traffic',
      target: 1.5,
      look: 'For each middleware: who reads what it makes? Which routes are those, and can the work wait until ' +
        'somebody reads it?'
    }
  ],

  mechanism: {
    expected:
      'CPU time per request falls: what only some routes need is worked out for those, and what never changes once',
    load: 'traffic',
    cpuPerRequest: 'falls'
  }
}
