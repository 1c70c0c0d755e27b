import { isDeepStrictEqual } from 'node:util'
import { form } from '../form/index.js'
import { countDrawn, meaningOfError } from '../shared/answers.js'
import { anyUrl } from '../shared/urls.js'
import { anyContent, change, makeContent, nextContent } from './content.js'

export default form({
  id: 'go-further',
  title: 'Same server, twice the number',
  part: 'Go further',
  summary: 'Two benchmarks of one server disagree. Find the number that is the server’s own, and make a budget of it.',

  data: ({ random }) => ({ seed: { data: makeContent(random) } }),

  routes: {
    'GET /seed/v1': {
      rule: 'answers GET /seed/v1 with data and url as JSON, a strong ETag and Cache-Control',
      anyQuery: true,
      tagged: 'strong',
      sends: { 'cache-control': 'public, no-cache' },
      weight: 3,
      is: ({ seed: { data } }, url) => ({ data, url })
    },
    'PUT /seed/v1': {
      rule: 'answers 204 to new content',
      effect: 'shows new content in the very next read, whatever its query string',
      status: 204,
      meaning: meaningOfError,
      weight: 6,
      body: nextContent,
      underLoad: (random, { state: { seed: { data } } }) => ({ data: change(data, random) }),
      wrong: (random, { data }) => {
        const word = random.word(5)
        return [{}, ...[word, [data], null, 5].map((one) => ({ data: one })), { Data: data }, [{ data }], word, null]
      },
      wrongRule: 'answers 400 to content without data',
      broken: 'as wrong',
      then: (_, seed) => ({ seed })
    }
  },

  operations: {
    'answers 405 with Allow: GET, PUT to another method': {
      meaning: meaningOfError,
      draw: ({ random }) => ({
        method: random.pick(['POST', 'DELETE', 'PATCH']),
        path: anyUrl('/seed/v1', random),
        json: random.pick([{}, { data: anyContent(random) }])
      })
    },
    'answers 404 to any other path': {
      meaning: meaningOfError,
      least: 7,
      draw: ({ random: { pick, word, int }, past }) => {
        const paths = [
          '/', '/seed', `/seed/${word(6)}`, `/${word(4)}/v1?a=1`, `/seed/v1${int(0, 9)}`, `/${word(4)}/seed/v1`,
          `/${word(4)}?next=/seed/v1`
        ]
        const count = countDrawn(past('answers 404 to any other path'))
        return { method: pick(['GET', 'GET', 'POST']), path: paths[count % paths.length] }
      }
    }
  },

  contract: {
    before: {
      'never gives two texts of a URL the same ETag': async ({ get, send, random, fail }) => {
        const entries = Object.entries(anyContent(random))
        const put = async (/** @type {[string, unknown][]} */ some) => {
          await send({ method: 'PUT', path: '/seed/v1', json: { data: Object.fromEntries(some) } })
          return (await get('/seed/v1')).expectStatus(200)
        }
        const [one, other] = [await put(entries), await put(entries.toReversed())]
        if (one.headers.etag !== other.headers.etag || one.text === other.text) return
        fail(`PUT /seed/v1 with the keys in another order: the body changed, and the ETag ${one.headers.etag} did not`)
      },
      'takes content as it is, in however many parts it comes': async ({ get, send, random, fail }) => {
        const data = { text: `${random.word(6)} Żółty 東京 🎬` }
        // What else is sent isn't content.
        const json = { data, [random.word(5)]: random.word(5) }
        ;(await send({ method: 'PUT', path: '/seed/v1', json, chunked: true })).expectStatus(204)
        const [wanted, got] = [{ data, url: '/seed/v1' }, (await get('/seed/v1')).expectStatus(200).json()]
        if (isDeepStrictEqual(got, wanted)) return
        const [sent, shown] = [json, got].map((one) => JSON.stringify(one).slice(0, 200))
        fail(`PUT /seed/v1, in two parts: ${sent} became ${shown}`)
      }
    }
  },

  promised: {
    'answers each query string separately, however alike they look':
      'GET /seed/v1, with any query string | 200, JSON { data, url }',
    'takes content as it is, in however many parts it comes':
      'PUT /seed/v1 with JSON { data }, an object | 204; from now on this is the data'
  },

  loads: {
    seed: { mix: { 'GET /seed/v1': 91, 'GET /seed/v1 new': 8, 'PUT /seed/v1': 1 }, sliceMs: 250 },
    conditional: { mix: { 'GET /seed/v1 again': 391, 'GET /seed/v1 new again': 8, 'PUT /seed/v1': 1 }, sliceMs: 250 }
  },

  gates: {
    seed: {
      rate: 2,
      look: 'Between two changes, which part of a response differs from the last one, and how much of your budget ' +
        'goes into the rest?'
    },
    conditional: {
      load: 'conditional',
      rate: 3,
      look: 'What does your server have to know before it can send a 304? What does it work out before it does?'
    }
  },

  sourceHints: [
    {
      pattern: /\bsetInterval\s*\(/,
      warning:
        'A response that a timer renews is stale until the timer fires. A PUT knows exactly when the content changes.'
    },
    {
      pattern: /ETag['"]?\s*[,:]\s*[`'"]W\//i,
      warning: 'W/ marks a weak ETag. This lesson requires a strong one: the same ETag, the same bytes.'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: what depends on the content alone is made per change, not per request',
    load: 'seed',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'function', of: ['describe', 'canonical'], does: 'falls' }]
  }
})
