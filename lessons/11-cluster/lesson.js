import { parallelTarget } from '../shared/parallel-target.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { newModel, panoramas } from './streams.js'
import { makeTerrain } from './terrain.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'cluster',
  title: 'Cluster',
  summary:
    'Every page costs milliseconds of computing, and one process uses one core. Start more of them, and let them ' +
      'share a counter and survive each other.',

  data ({ random }) {
    const terrain = makeTerrain(random)
    return { files: { 'terrain.json': JSON.stringify(terrain) }, data: { terrain } }
  },

  operations,

  contract,
  promised: {
    'keeps visits counted when its workers die, replaces each, and ends with all of them':
      'visits that were counted stay counted, and within 2 s there are as many processes as before.'
  },

  model: newModel,

  loads: {
    panoramas: { stream: panoramas, connections: 16, sliceMs: 250, sliceAnswers: 30, warmUpMs: 400 }
  },

  gates: [
    {
      name: 'panoramas',
      kind: 'rate',
      load: 'panoramas',
      // From some number of cores on, the primary and the load are the limit.
      target: parallelTarget(4),
      dropped: 'On one core two processes cannot compute at the same time, so the rate is not judged here.',
      look: 'How many processes compute panoramas under load, how many cores are there, and does each process get ' +
        'its share of the connections?'
    },
    {
      name: 'work of a panorama',
      kind: 'work',
      load: 'panoramas',
      // Typed arrays, and sines that are looked up, save a quarter, and are right.
      target: 0.6,
      look: 'Is every line of sight of every panorama walked to its end? What does your server leave out, or guess?'
    }
  ],

  sourceHints: [
    {
      pattern: /cluster\.fork\s*\(/,
      unless: /\.(on|once|addListener)\s*\(\s*['"`](exit|disconnect)['"`]/,
      warning: 'Workers are started and nobody listens for their end. How many are left after a week?'
    }
  ],

  mechanism: {
    expected: 'A panorama still costs its CPU time; several processes compute several of them at once.',
    load: 'panoramas',
    cpuPerRequest: 'stays',
    shows: [{ figure: 'cores', does: 'rises' }]
  }
}
