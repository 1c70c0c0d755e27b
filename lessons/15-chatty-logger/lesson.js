import { newNumbers } from '../shared/log-file.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { makeShop } from './shop.js'
import { mixedStream } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'chatty-logger',
  title: 'Chatty logger',
  part: 'As in production',
  summary:
    'A small shop writes more about its requests than it does for them. Keep every line, and find out what each ' +
      'costs.',

  data ({ random }) {
    const shop = makeShop(random)
    return { files: { 'shop.json': JSON.stringify(shop) }, data: shop }
  },

  operations,
  // Where a server can't be told to stop, it may lose what it still holds.
  sequence: { steps: 70, restart: process.platform !== 'win32' },

  contract,

  promised: {
    'sends a product with its price': '200 {id, name, price}',
    'answers a request without an id': "Every response has an X-Request-Id: the request's own, or a new one.",
    'keeps secrets out of the log':
      "No secrets: the values of Authorization, Cookie and Set-Cookie, and PINs, aren't in the file, even if a " +
        "body isn't JSON.",
    'has the level of its status in every line, also in that of a 304':
      'level | info; warn from status 400 on; error from 500 on',
    'has in the log how long a request took, its body included':
      "a number: from the arrival of the request's headers to the end of its response",
    'writes its lines even under constant load':
      'The line is in the file within a second after the response, even under constant load.',
    'loses no line when it is stopped, and keeps the order of each client':
      'After SIGTERM no line is missing, even of requests that were in flight.'
  },

  knownToFail: [
    {
      check: 'keeps secrets out of the log',
      why: 'It logs all headers, twice: tokens and cookies are in the file in plain text.'
    }
  ],

  model: newNumbers,

  loads: {
    shop: { stream: mixedStream, connections: 8, sliceMs: 250 }
  },

  gates: [
    {
      name: 'shop',
      kind: 'rate',
      load: 'shop',
      target: 2.2,
      look: 'What goes into a line that no one reads when all is well, and how often does making or writing it block ' +
        'the event loop?'
    }
  ],

  sourceHints: [
    {
      pattern: /\bappendFileSync\s*\(/,
      warning:
        'appendFileSync blocks all requests until the system has taken the line. On a quiet disk you don’t notice; ' +
          'on a busy one, every request waits.'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: a line is short, and many lines are written at once',
    load: 'shop',
    cpuPerRequest: 'falls'
  }
}
