import { filesOf } from '../form/index.js'
import { gatesOffLoop } from '../shared/parallel-gates.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { makeShop } from './shop.js'
import { healthz, newModel, reports as stream } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'worker-threads',
  title: 'Worker threads',
  part: 'Go further',
  summary:
    'A report keeps the event loop busy, and no asynchronous function will compute it for you. Find it another thread.',

  data ({ random, speed }) {
    const shop = makeShop(random, speed)
    const { products, orders, reports } = shop
    return { files: filesOf({ products, orders, reports }), data: shop }
  },

  operations,
  // A report costs tens of milliseconds.
  sequence: { steps: 40 },

  contract,
  promised: { 'answers each of many orders with its own id, and counts them all': '201, the order with its id' },

  model: newModel,

  loads: {
    // One report is loops enough to be compiled.
    report: {
      stream, connections: 8, sliceMs: 300, sliceAnswers: 12, warmUpMs: 250, probe: { stream: healthz, rate: 50 }
    }
  },

  gates: gatesOffLoop('report', {
    latency: {
      name: 'healthz under report load',
      look: 'How long at a time is the main thread busy with something other than /healthz?'
    },
    parallel: {
      name: 'reports',
      lookAtRate:
        'How many cores are busy while reports are computed, and how many reports are computed at the same time?',
      lookAtUse: 'How many threads of your server have a report to compute at the same moment?'
    },
    work: {
      name: 'work of a report',
      // V8 takes the slow server's `%` for one of floating-point numbers: with integers it needs a fifth of the time.
      target: 0.1,
      look: 'Is every row of every report played through when the report is requested? What does your server leave ' +
        'out, or do at another time?'
    }
  }),

  sourceHints: [
    {
      pattern: /new Worker\s*\(/,
      unless: /\.(on|once|addListener)\s*\(\s*['"`](error|exit)['"`]/,
      warning: 'A worker is started, but nothing listens for its exit. What happens to a request whose worker is gone?'
    }
  ],

  mechanism: {
    expected: 'Reports are no longer computed on the event loop, however much CPU time each of them takes.',
    load: 'report',
    // A cheaper division may save most of it.
    shows: [{ figure: 'loopBusy', does: 'falls' }, { figure: 'loopDelay', does: 'falls' }]
  },
  eventLoop: {}
}
