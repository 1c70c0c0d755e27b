import { parallelGates } from '../shared/parallel-gates.js'
import { makeClub } from './club.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { mixedStream, newModel } from './streams.js'
import { makeTerrain, placesBelowPeaks } from './terrain.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'cluster',
  title: 'Cluster',
  part: 'Go further',
  summary:
    'Every page takes milliseconds to compute, and one process uses one core. Start more of them, and find out which ' +
      'variables they should have shared.',

  data ({ random }) {
    const club = makeClub(random.fork('club'))
    const terrain = makeTerrain(random)
    return {
      files: {
        'terrain.json': JSON.stringify(terrain),
        'members.json': JSON.stringify(club.members),
        ...Object.fromEntries(club.huts.map((hut) => [`hut-${hut.id}.json`, JSON.stringify(hut)]))
      },
      data: { ...club, terrain, below: placesBelowPeaks(random.fork('below'), terrain) }
    }
  },

  operations,

  contract,
  promised: {
    'opens a session for the right PIN':
      '201 { name } and a session in a cookie session (HttpOnly, path /), if the PIN is the one in members.json',
    'never shows a hut as it was before a change, and never half of one':
      "A hut's new beds are shown by every read that's sent after the response to the change.",
    'knows a session, whichever process responds':
      'A session that was opened is known from then on, in each of the processes, until the server stops, and ' +
        'no longer.',
    'goes on as before when its workers die, replaces each one, and exits with all of them':
      'Sessions, counted PINs and huts survive that, and within 2 s there are as many processes as before.'
  },

  model: newModel,

  loads: { panoramas: { stream: mixedStream, connections: 16, sliceMs: 250, sliceAnswers: 30, warmUpMs: 400 } },

  gates: [
    ...parallelGates({
      name: 'panoramas',
      load: 'panoramas',
      // From some number of cores on, the primary and the load are the limit.
      most: 4,
      lookAtRate: 'How many processes compute panoramas under load, how many cores do you have, and does each ' +
        'process get its share of the connections?',
      lookAtUse: 'How many processes or threads of your server have work to do at the same moment under load?'
    }),
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
      warning: 'Workers are started, but nothing listens for their exit. How many are left after a week?'
    }
  ],

  mechanism: {
    expected: 'A panorama still takes its CPU time, but several processes compute several of them at once.',
    load: 'panoramas',
    cpuPerRequest: 'stays',
    shows: [{ figure: 'cores', does: 'rises' }]
  },
  eventLoop: {}
}
