import { isDeepStrictEqual } from 'node:util'
import { jsonType } from 'make-it-fast/shared/answers.js'

/** @import { Item, Lesson, Random, Stream } from 'make-it-fast/lesson' */

/** So many that parsing them all takes longer than answering. */
const howMany = 4000

/** @type {Lesson} */
export default {
  id: 'my-topic',
  title: 'My topic',
  summary: 'A catalogue that sends one item, and is slow. Find out what it does with all the others.',

  data ({ random }) {
    const items = Array.from({ length: howMany }, (_, at) => makeItem(random, at))
    return { files: { 'items.json': JSON.stringify(items) }, data: { items } }
  },

  operations: {
    one: {
      rule: 'sends one item',
      draw: ({ random, data }) => ({ path: `/items/${random.pick(data.items).sku}` })
    },
    none: {
      rule: 'answers 404 for an item that is not there',
      draw: ({ random, data }) => ({
        path: `/items/${random.pick([random.word(9), `${random.pick(data.items).sku}0`, 'constructor'])}`
      })
    }
  },

  // What an operation, or a check of `contract`, is not to be without: the words of README.md that promise it.
  promises: {
    'sends one item': 'GET /items/:sku | 200, one item as JSON',
    'answers 404 for an item that is not there': '404 {"error":"not_found"}'
  },

  // What the slow server cannot be asked about has a check here.
  contract: [],

  loads: {
    items: { stream: itemStream, connections: 8 }
  },

  gates: [
    {
      name: 'items',
      kind: 'rate',
      load: 'items',
      target: 3,
      look: 'One item is sent. How many does your server touch before it knows which?'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: the file is parsed once, not once a request',
    load: 'items',
    cpuPerRequest: 'falls'
  }
}

/** @param {Random} random @param {number} at */
function makeItem (random, at) {
  return { sku: `${random.word(4)}-${at}`, name: random.word(12), price: random.int(100, 99_999) }
}

/** @type {Stream} */
function itemStream ({ random, data }) {
  return () => {
    const item = random.pick(data.items)
    return { path: `/items/${item.sku}`, key: item.sku, check: (answer) => wrongItem(answer, item) }
  }
}

/** @param {Parameters<Item['check']>[0]} answer @param {unknown} expected */
function wrongItem (answer, expected) {
  if (answer.status !== 200) return `expected status 200, got ${answer.status}`
  if (!jsonType.test(answer.headers['content-type'] ?? '')) return 'the answer is not sent as JSON'
  if (!isDeepStrictEqual(answer.json(), expected)) return 'this is not the item that was asked for'
}
