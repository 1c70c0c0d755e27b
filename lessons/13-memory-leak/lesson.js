import { form } from '../form/index.js'
import { contract } from './contract.js'
import { answerCalls, makeNewsroom } from './newsroom.js'
import { operations } from './operations.js'
import { visitors } from './visitors.js'

export default form({
  id: 'memory-leak',
  title: 'Memory leak',
  summary:
    'A newspaper’s server gets bigger all day, until it falls over. Find out what it keeps, who holds it, and what ' +
      'is worth keeping.',

  data: ({ random }) => makeNewsroom(random),
  // All of it is the newsroom's.
  files: () => ({}),
  upstream: answerCalls,

  operations,
  // The requests of others would be in the counts.
  sequence: { load: false },
  contract,
  promised: {
    'answers an article in the language that was asked for, whatever else is in the query string':
      'all sorts of things behind the ?: utm_source, sid, names that nobody has heard of. None of them means ' +
        'anything to the content. lang does.'
  },

  model: () => ({}),
  loads: { articles: { stream: visitors, exactly: 90, batches: 6, warmUpMs: 800, warmUpAnswers: 900 } },

  gates: {
    retained: {
      kind: 'retained',
      target: 10,
      look: 'Two things grow, and both have to stop. Take two heap snapshots with some hundred requests between ' +
        'them: what is there more of, and who holds it?'
    },
    'bytes of a request': {
      kind: 'leak',
      target: 1000,
      look: 'Less than before is still a leak: what is left of each request, and who holds it?'
    },
    level: {
      kind: 'level',
      target: 2,
      look: 'It does not grow, and it is large from the start: what was put aside before anybody asked for it?'
    },
    footprint: {
      kind: 'footprint',
      target: 2,
      look: 'The memory of the whole process tree still grows. What do your server’s threads, processes and buffers ' +
        'keep for each request?'
    },
    'upstream calls': {
      kind: 'calls',
      target: 0.8,
      look: 'How often is the newsroom asked for a page that was there already? What does the page depend on, and ' +
        'what does your key hold beside it?'
    },
    rate: {
      // Rounds are few and short: a right fix is faster, and by how much is seen badly on a busy machine.
      rate: 0.5,
      look: 'What does your server do for each request, beside answering, to keep its memory small?'
    }
  },

  sourceHints: [
    {
      pattern: /\b(global\.)?gc\s*\(\s*\)/,
      warning: 'A collection by hand frees what nobody holds. A leak is what somebody still holds.'
    }
  ],

  mechanism: {
    expected:
      'What falls is memory. CPU time per request stays about what it was, or falls a little: fewer pages are made, ' +
        'and there is less to go through at each collection',
    load: 'articles',
    cpuPerRequest: 'stays'
  }
})
