import { form } from '../form/index.js'
import { wrongReply } from '../form/replies.js'
import { newNumbers, numbered } from '../shared/log-file.js'
import { contract } from './contract.js'
import { inputs, operations } from './operations.js'
import { accountAnswer, makeShop, productAnswer, productAt } from './shop.js'

/** @import { Stream } from '../../runner/lesson/index.js' */

/** Of the requests of the load, which have no X-Request-Id. */
const namelessShare = 0.1
const mix = [...Array(91).fill('product'), 'broken', 'unknown', ...Array(5).fill('account'), 'stranger', 'stranger']

export default form({
  id: 'chatty-logger',
  title: 'Chatty logger',
  part: 'As in production',
  summary:
    'A small shop writes more about its requests than it does for them. Keep every line, and find out what each ' +
      'costs.',

  data: makeShop,
  files: (shop) => ({ 'shop.json': JSON.stringify(shop) }),

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
    'has in the log how long a request took, its body included':
      "a number: from the arrival of the request's headers to the end of its response",
    'loses no line when it is stopped, and keeps the order of each client':
      'After SIGTERM no line is missing, even of requests that were in flight.'
  },

  knownToFail: [{
    check: 'keeps secrets out of the log',
    why: 'It logs all headers, twice: tokens and cookies are in the file in plain text.'
  }],

  model: newNumbers,

  loads: { shop: { stream: mixedStream, sliceMs: 250 } },
  gates: {
    shop: {
      rate: 2.2,
      look: 'What goes into a line that no one reads when all is well, and how often does making or writing it block ' +
        'the event loop?'
    }
  },

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
})

/** @type {Stream} */
function mixedStream ({ random, data, model }) {
  return () => {
    const kind = random.pick(mix)
    const { path, headers } = inputs[kind](random, data)
    const expected = path === '/account' ? accountAnswer(data, headers) : productAnswer(productAt(data, path))
    const item = numbered(model, { path, headers, check: () => undefined }, { inUrl: random.next() < namelessShare })
    const id = item.headers?.['x-request-id']
    return {
      ...item,
      check (answer) {
        const { 'x-request-id': got } = answer.headers
        if (id === undefined ? !got : got !== id) return `X-Request-Id is ${got} instead of ${id ?? 'a new one'}`
        return wrongReply(answer, [expected])
      }
    }
  }
}
