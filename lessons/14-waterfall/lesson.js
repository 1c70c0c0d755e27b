import { form } from '../form/index.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { answerCalls, makeShop } from './services.js'
import { pages } from './streams.js'

export default form({
  id: 'waterfall',
  title: 'Waterfall',
  part: 'Find the cause',
  summary:
    'Six services contribute to a page, and nothing is busy while it waits. Find out what it waits for, and in ' +
      'which order.',

  data: ({ random }) => makeShop(random),

  files: () => ({}),

  upstream: answerCalls,

  operations,

  sequence: { steps: 30 },

  contract,

  promised: {
    'sends a page made of what the upstream says': 'Every page uses its own fresh responses.',
    'makes every page of answers that were given for it, even for a visitor who comes often':
      'Every page uses its own fresh responses.',
    'never makes the same request id twice, however many it has made':
      "Every call carries the page's X-Request-Id: the client's if it has 8 to 64 letters, digits, _ or -, else " +
        'a new one, never used before.',
    'answers as before after many failures': 'When the services have recovered, the next page is right again.',
    'calls no service a second time when it fails':
      'Each service is called once per page, even when it fails, because calls cost money.',
    'calls each service once for a page, and only one for a user who does not exist':
      "Each service is called once per page, even when it fails, because calls cost money. For a user who doesn't " +
        'exist, only /users is called.'
  },

  knownToFail: [
    {
      check: 'calls each service once for a page, and only one for a user who does not exist',
      why: 'The recommendations need to know something about the user, and request the user once more.'
    }
  ],

  loads: {
    pages: {
      stream: pages,
      connections: 24,
      // A few times as long as one of the slow server's pages, of which a whole crowd is under way.
      sliceMs: 600,
      sliceAnswers: 24,
      warmUpMs: 600,
      probe: { stream: pages, rate: 8 }
    },
    alone: { stream: pages, connections: 1, sliceMs: 350, sliceAnswers: 4, warmUpMs: 150 }
  },

  gates: {
    'median of a page': {
      kind: 'latency',
      percentile: 50,
      target: 2,
      look: 'Twenty-four visitors come at once. How many calls to the upstream are in flight at the same moment, ' +
        'and what do the others wait for?'
    },
    pages: {
      rate: 2,
      look: 'How many connections to the upstream does your server open for one page, and how many may be open at ' +
        'the same time?'
    },
    'a page alone': {
      rate: 1.6,
      load: 'alone',
      look: 'One visitor, and no one else in the queue. Draw the calls of the page: which of them starts later than ' +
        'the answer that it needs?'
    }
  },

  sourceHints: [
    {
      pattern: /maxSockets\s*:\s*Infinity/,
      warning:
        'maxSockets: Infinity has no bound. When the upstream is slow, how many connections does your server open to ' +
          'it?'
    }
  ],

  mechanism: {
    expected:
      'What goes away is waiting, which costs no CPU time. CPU time falls too, with one call less and no new ' +
        'connection for each.',
    load: 'alone',
    cpuPerRequest: 'falls'
  },
  eventLoop: {}
})
