import { form } from '../form/index.js'
import { answersOf, meaningOfError } from '../shared/answers.js'
import { askAlike } from '../shared/conditions.js'
import { anyUrl, urlOf } from '../shared/urls.js'
import { asking, createTags, newModel } from './answers.js'
import { contract } from './contract.js'

/** @import { Answer } from '../../runner/contract/index.js' */

const identifies =
  'The tag identifies data and url: it changes only when one of them does, even across a restart, and two URLs have ' +
    'two tags, however similar they are.'

/** When it was made is for another check, and isn't part of the ETag. @param {Answer} answer */
function withoutTime (answer) {
  const { ts, ...content } = answer.json()
  return { ...content, ts: typeof ts }
}

const refused = { meaning: meaningOfError, headers: ['cache-control'] }
/** A leak: the cost grows with the requests served, so both sides start fresh and serve the same number. */
const leaking = { fresh: true, connections: 10 }
/** Few connections, which are open when memory is read: little of it is theirs, and what hangs on them is in it. */
const few = { connections: 2, lasting: true, batches: 6 }

export default form({
  id: 'leaking-listeners',
  title: 'Slower by the hour',
  part: 'Find the cause',
  summary: 'GET /seed/v1 gets slower with every request. Find out what piles up.',

  data: ({ random }) => ({ seed: { data: random.bytes(640).toString('hex') } }),

  operations: {
    read: {
      rule: 'answers GET /seed/v1 with data, url and ts as JSON, Cache-Control, and an ETag from the second time on',
      weight: 10,
      tagged: true,
      draw: ({ random, past }) => ({ path: anyUrl('/seed/v1', random, past('read')) }),
      meaning: withoutTime
    },
    'never answers 304 to a tag that isn’t that of the URL': {
      weight: 2,
      meaning: withoutTime,
      draw: ({ random, past }) => askAlike(random, past('read'), { hasOwn: true })
    },
    'keeps the ETag of a URL, and gives each URL its own': {
      weight: 3,
      // Of all URLs requested so far, not of those drawn before it: it's repeated at the end.
      // Two right servers make different tags, and one may leave the first answer without one.
      draw: ({ past }) => (answerOf) => ({
        look: () => {
          const wrongTag = createTags()
          return answersOf(past('read'), answerOf).map(({ step, answer: { headers: { etag } } }) =>
            etag && wrongTag(urlOf(step), etag) && urlOf(step)).filter(Boolean)
        },
        says: 'the URLs whose ETag has changed, or is that of another URL'
      })
    },
    'answers 405 with Allow: GET to a POST': {
      ...refused,
      draw: ({ random }) => ({
        method: 'POST',
        path: random.pick(['/seed/v1', anyUrl('/seed/v1', random)]),
        json: random.pick([{}, { data: random.word(5) }])
      })
    },
    'answers 404 to any other path': {
      ...refused,
      draw: ({ random: { int, pick, word } }) => ({
        method: pick(['GET', 'GET', 'POST']),
        path: pick(['/', '/seed', `/seed/${word(6)}`, `/${word(4)}/v1?a=1`, `/seed/v1${int(0, 9)}`, '/seed/v1/more'])
      })
    }
  },
  sequence: { steps: 80, restart: true },
  contract,
  promised: {
    'keeps the ETag of a URL, and gives each URL its own': identifies,
    'gives each URL its ETag, even when many are requested in one go':
      'From the second response for a URL on, a 200 carries a quoted ETag.',
    'never answers 304 to a tag that isn’t that of the URL': identifies,
    'gives a URL another ETag when the data is different, and else the same': 'Different data gets a different tag.'
  },

  model: newModel,
  loads: {
    seed: { ...leaking, exactly: 400, stream: asking(['/seed/v1'], { newShare: 0.15 }) },
    // What a leak costs a fast server shows after thousands of requests, and in its memory first.
    again: { ...leaking, ...few, exactly: 1000, baselineExactly: 50, stream: asking([], { refusedShare: 0.1 }) }
  },

  gates: {
    seed: { rate: 2.5, look: 'What does the server still do after each response, and how many times?' },
    'seed growth': {
      kind: 'degradation',
      target: 1.5,
      look: 'What is there one more of after every request? `node --trace-warnings` can name the line.'
    },
    'memory of a request': {
      kind: 'leak',
      load: 'again',
      target: 120,
      look: 'The same few URLs, again and again, and some that don’t exist: what does the server still keep from each?'
    }
  },

  sourceHints: [{
    pattern: /defaultMaxListeners\s*=|setMaxListeners\(\s*(?:0|Infinity)\s*\)/,
    warning: 'The limit on listeners is raised, so Node.js can’t warn you when they pile up again.'
  }],

  mechanism: {
    expected: 'the CPU time of a request no longer grows with the requests served',
    load: 'seed',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'listeners', of: ['after'], does: 'falls' }]
  },
  eventLoop: {}
})
