import { form } from 'make-it-fast/form'

/** @import { Random } from 'make-it-fast/lesson' */

/** Enough items that parsing them all takes longer than answering. */
const howMany = 4000

export default form({
  id: 'my-topic',
  title: 'My topic',
  summary: 'A catalogue that sends one item, and is slow. Find out what it does with all the others.',

  // Each key becomes a file in DATA_DIR: items.json.
  data: ({ random }) => ({ items: Array.from({ length: howMany }, (_, at) => makeItem(random, at)) }),

  // What a server must answer, and what to ask it. The words that promise it to the learner are found in README.md.
  routes: {
    'GET /items/:sku': {
      rule: 'sends one item',
      is: ({ items }, sku) => items.find((/** @type {any} */ item) => item.sku === sku),
      good: ({ random, state }) => random.pick(state.items).sku,
      bad: (random) => [random.word(9), `${random.word(4)}-0x1`, 'constructor'],
      wrongRule: 'answers 404 for an item that is not there'
    }
  },

  loads: { items: { mix: { 'GET /items/:sku': 1 } } },

  gates: {
    items: { rate: 3, look: 'One item is sent. How many does your server touch before it knows which?' }
  },

  mechanism: {
    expected: 'CPU time per request falls: the file is parsed once, not once a request',
    load: 'items',
    cpuPerRequest: 'falls'
  }
})

/** @param {Random} random @param {number} at */
function makeItem (random, at) {
  return { sku: `${random.word(4)}-${at}`, name: random.word(12), price: random.int(100, 99_999) }
}
