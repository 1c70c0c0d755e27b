import { form } from '../form/index.js'
import { contract } from './contract.js'
import { answerCalls, makeNewsroom } from './newsroom.js'
import { operations } from './operations.js'
import { readers, visitors } from './visitors.js'

export default form({
  id: 'memory-leak',
  title: 'Memory leak',
  part: 'As in production',
  summary: 'A newspaper’s server grows all day, until it crashes. Find out what it keeps, what holds it, and what is ' +
    'worth keeping.',

  data: ({ random }) => makeNewsroom(random),
  // All the data is the newsroom's.
  files: () => ({}),
  upstream: answerCalls,

  operations,
  // Other requests would be in the counts.
  sequence: { load: false },
  contract,
  promised: {
    'does not remember that the newsroom has failed': "A failure isn't remembered.",
    'answers as before after many failures': 'When the newsroom has recovered, the next response is right again.',
    'has room for 250 pages in memory, and counts each response, even under constant load':
      "There's room for 250 pages in memory, of any kind.",
    'sends an article in the requested language, whatever else is in the query string':
      'The query string can hold anything: utm_source, sid, names that no one has heard of. Only lang affects the ' +
        'content.'
  },

  model: () => ({}),
  loads: {
    articles: { stream: visitors, exactly: 90, batches: 6, warmUpMs: 800, warmUpAnswers: 900 },
    again: { stream: readers, exactly: 60, batches: 5, warmUpMs: 200, warmUpAnswers: 200 }
  },

  gates: {
    // First of all: a cache shows in none of these requests, so what's left of them is what each request leaves.
    'the same pages': {
      load: 'again',
      kind: 'retained',
      target: 6,
      look: 'Every page is in the cache, and each request for one still leaves something behind. Take two heap ' +
        'snapshots with a few hundred requests between them: what is there more of, and what holds it?'
    },
    retained: {
      kind: 'retained',
      target: 10,
      look: 'Two things grow, and both have to stop. Which of them grows only when a URL is new?'
    },
    'bytes of a request': {
      kind: 'leak',
      target: 1000,
      look: 'Less than before is still a leak: what is left of each request, and what holds it?'
    },
    level: {
      kind: 'level',
      target: 2,
      look: 'It doesn’t grow, but it’s large from the start: what was stored before any request needed it?'
    },
    footprint: {
      kind: 'footprint',
      // Whatever the server says of its heap, three quarters of the leak have to go.
      target: 4,
      look: 'The memory of the whole process tree still grows. What do your server’s threads, processes and buffers ' +
        'keep for each request?'
    },
    'upstream calls': {
      kind: 'calls',
      target: 0.8,
      look: 'How often is the newsroom called for a page that was made before? What does the page depend on, and ' +
        'what else is in your key?'
    },
    rate: {
      // Rounds are few and short: a right fix is faster, but a busy machine blurs by how much.
      rate: 0.5,
      look: 'What does your server do for each request, besides answering, to keep its memory small?'
    }
  },

  sourceHints: [
    {
      pattern: /\b(global\.)?gc\s*\(\s*\)/,
      warning: 'A forced collection frees what nothing references. A leak is what something still references.'
    }
  ],

  mechanism: {
    expected: 'What falls is memory. CPU time per request stays about the same, or falls a little: fewer pages are ' +
      'made, and each collection has less to walk through',
    load: 'articles',
    cpuPerRequest: 'stays'
  },
  eventLoop: {}
})
