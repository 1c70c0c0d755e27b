import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { form } from '../../lessons/form/index.js'
import { derived } from '../../lessons/form/rules.js'
import { Answer, ContractError } from '../../runner/contract/answer.js'
import { createRandom } from '../../runner/shared/random.js'

/** @import { FormLesson } from '../../lessons/form/types.js' */

/** @typedef {{ id: number, price: number }} Product */

/** @param {Product[]} products @param {any} page */
const slice = (products, page) => products.slice((Number(page) - 1) * 5, Number(page) * 5)

/** @type {FormLesson} */
const shop = {
  id: 'shop',
  title: 'Shop',
  summary: 'A shop.',
  data: () => ({ products: Array.from({ length: 40 }, (_, at) => ({ id: at + 1, price: 100 })) }),
  routes: {
    'GET /all': {
      rule: 'sends all products',
      tagged: true,
      encodings: ['br', 'gzip'],
      compressedTo: 0.9,
      is: ({ products }) => products
    },
    'GET /pages/:page': {
      rule: 'sends a page',
      tagged: true,
      encodings: ['br', 'gzip'],
      compressedTo: 0.9,
      is: ({ products }, page) => slice(products, page),
      good: ({ random }) => random.int(1, 8),
      near: ({ about }) => Math.ceil((about?.id ?? 1) / 5)
    },
    'GET /any?page=N': {
      rule: 'sends a page, whatever else the query says',
      anyQuery: true,
      is: ({ products }, url) => {
        const page = new URL(url, 'http://x').searchParams.get('page') ?? '1'
        return /^[1-8]$/.test(page) ? { url, products: slice(products, page) } : undefined
      },
      good: ({ random }) => random.int(1, 8)
    },
    'POST /prices': {
      rule: 'answers a new price with the product',
      effect: 'shows a new price in the very next read',
      status: 200,
      body: (random) => ({ id: random.int(1, 40), price: random.int(100, 1e6) }),
      then: ({ products }, { id, price }) => ({ products: products.toSpliced(id - 1, 1, { id, price }) }),
      answers: ({ products }, { id }) => products[id - 1]
    }
  },
  loads: { pages: { mix: { 'GET /pages/:page gzip': 3, 'GET /pages/:page br again': 3, 'POST /prices': 1 } } },
  gates: { pages: { rate: 2, look: 'How often?' } },
  mechanism: { expected: 'CPU time falls', load: 'pages', cpuPerRequest: 'falls' }
}

const hash = (/** @type {string} */ text) => createHash('sha1').update(text).digest('hex')

const compress = { br: brotliCompressSync, gzip: gzipSync, identity: (/** @type {any} */ body) => body }

/** @typedef {{ tagOf?: (text: string, encoding: string) => string, encodingOf?: (accepted: string) => string,
 *   makes?: (body: Buffer, encoding: string) => Buffer, keepsLate?: boolean }} Faults */

/** @param {Product[]} products @param {Faults} faults */
function serverOf (products, { tagOf = (text, encoding) => `"${hash(text)}-${encoding}"`, keepsLate, ...faults }) {
  const state = { products }
  const { encodingOf = (accepted) => accepted, makes } = faults
  /** @type {Map<string, unknown>} */
  const kept = new Map()
  const empty = /** @type {any} */ (Buffer.alloc(0))
  const answer = (/** @type {any} */ request, /** @type {number} */ status, body = empty, headers = {}) =>
    new Answer({
      label: request.path,
      status,
      rawHeaders: Object.entries({ 'content-type': 'application/json', ...headers }).flat(),
      body,
      elapsedMs: 1
    })
  const shownAt = (/** @type {string} */ path) => {
    if (path.startsWith('/any')) return shop.routes?.['GET /any?page=N'].is?.(state, path)
    return path === '/all' ? state.products : slice(state.products, path.split('/')[2])
  }
  const get = async (/** @type {string} */ path, /** @type {any} */ { headers = {} } = {}) => {
    const encoding = encodingOf(headers['accept-encoding'] ?? 'identity')
    const shown = kept.get(path) ?? shownAt(path)
    await turn()
    if (keepsLate) kept.set(path, shown)
    if (shown === undefined) return answer({ path }, 404)
    const text = JSON.stringify(shown)
    const etag = tagOf(text, encoding)
    if (headers['if-none-match']?.includes(etag.replace('W/', ''))) {
      return answer({ path }, 304, undefined, { etag, vary: '*' })
    }
    /** @type {any} */
    const body = (makes ?? compress[/** @type {'br'} */ (encoding)])(Buffer.from(text), encoding)
    return answer({ path }, 200, body, { etag, vary: 'accept-encoding', 'content-encoding': encoding })
  }
  const send = async (/** @type {any} */ request) => {
    if (request.leaveMs !== undefined) throw new ContractError('the client has left')
    if (request.method === 'POST') {
      kept.clear()
      state.products = state.products.toSpliced(request.json.id - 1, 1, request.json)
    }
    return answer(request, 200)
  }
  return { get, send }
}

/** @param {Faults} [faults] @returns {Promise<string[]>} the checks that it fails */
async function failed (faults = {}) {
  const { contract, data } = form(shop)
  const { data: { products } } = await data({ random: createRandom('data'), speed: 1 })
  const found = []
  for (const { name, run } of contract) {
    const fail = (/** @type {string} */ message) => { throw new ContractError(message) }
    const given = {
      ...serverOf(products, faults),
      another: async () => serverOf(products, faults),
      random: createRandom(name),
      data: { products },
      fail
    }
    try {
      await run(/** @type {any} */ (given))
    } catch (error) {
      if (!(error instanceof ContractError)) throw error
      found.push(name)
    }
  }
  return found
}

const tags = 'never gives different content the same ETag, even after a restart'
const forms = 'never gives two encodings of the same content the same strong ETag'
const inFlight = 'shows a new price in the very next read, even when it came while another read was in flight'
const compressed = 'sends compressed answers with no more bytes than promised'

test('each rule is one check, of all routes that it holds for, with a parameter or without', async () => {
  assert.deepEqual(form(shop).contract.map(({ name }) => name), [
    tags,
    inFlight,
    forms,
    compressed,
    'answers each query string separately, however alike they look',
    'shows a write in the very next read of any query string, however many were requested'
  ])
  assert.deepEqual(await failed(), [], 'an honest server')
  assert.deepEqual(await failed({ tagOf: (text) => `W/"${hash(text)}"` }), [], 'a weak tag for all forms')
})

test('checks of routes with a parameter choose values that a write concerns', async () => {
  const page = (/** @type {string} */ text) => text.length < 200
  const other = (/** @type {string} */ text, /** @type {string} */ encoding) => `"${hash(text)}-${encoding}"`
  /** @type {Faults['tagOf']} */
  const ofForm = (text, encoding) => page(text) ? `"${encoding}"` : other(text, encoding)
  assert.deepEqual(await failed({ tagOf: ofForm }), [tags])
  /** @type {Faults['tagOf']} */
  const ofContent = (text, encoding) => page(text) ? `"${hash(text)}"` : other(text, encoding)
  assert.deepEqual(await failed({ tagOf: ofContent }), [forms])
  assert.deepEqual(await failed({ keepsLate: true }), [inFlight])
})

test('what a route promises of compression is checked: that there is some, and that it makes less of it', async () => {
  assert.deepEqual(await failed({ encodingOf: () => 'identity' }), [compressed])
  const level0 = (/** @type {any} */ body, /** @type {string} */ encoding) =>
    encoding === 'gzip' ? gzipSync(body, { level: 0 }) : compress[/** @type {'br'} */ (encoding)](body)
  assert.deepEqual(await failed({ makes: level0 }), [compressed])
})

test('a value and a query string have no place in one route', () => {
  const routes = { 'GET /a/:b': { rule: 'x', anyQuery: true } }
  assert.throws(() => form({ ...shop, routes }), /routes\["GET \/a\/:b"\]: with anyQuery its value is the URL/)
})

test('under load, a tag of a value is good while its content is, in each encoding', async () => {
  const { loads, model, data } = form(shop)
  const { data: first } = await data({ random: createRandom('data'), speed: 1 })
  const known = model({ data: first })
  const server = serverOf(first.products, {})
  const next = loads.pages.stream({ random: createRandom('load'), data: first, model: known })
  const counts = { fresh: 0, current: 0 }
  const judge = (/** @type {any} */ item, /** @type {Answer} */ { status, headers, body }, isAnswered = true) => {
    const text = `${body}`
    const received = /** @type {any} */ ({ status, headers, body, text: () => text, json: () => JSON.parse(text) })
    if (isAnswered) item.answered?.(received)
    return item.check(received)
  }
  for (let step = 0; step < 300; step++) {
    const item = /** @type {any} */ (next())
    if (item.method === 'POST') {
      const made = new Answer({
        label: '',
        status: 200,
        rawHeaders: ['content-type', 'application/json'],
        body: Buffer.from(JSON.stringify(item.json)),
        elapsedMs: 1
      })
      await server.send(item)
      assert.equal(judge(item, made), undefined)
      continue
    }
    const answer = await server.get(item.path, item)
    assert.equal(judge(item, answer), undefined)
    if (answer.status === 304) counts.current++
    else counts.fresh++
    if (answer.status === 304) {
      const whole = await server.get(item.path, { headers: { 'accept-encoding': item.headers['accept-encoding'] } })
      assert.match(judge(item, whole, false), /^expected 304 to the current ETag/)
      continue
    }
    const plain = await server.get(item.path)
    assert.match(judge(item, plain, false), /^Content-Encoding is identity, and the client accepts (br|gzip)/)
    const other = await server.get('/pages/1', item)
    if (item.path !== '/pages/1' && other.status === 200) assert.match(judge(item, other, false), /^expected \[/)
  }
  assert.ok(counts.fresh > 100 && counts.current > 20, JSON.stringify(counts))
})

test('the page for authors names every rule that comes with a field', async () => {
  const page = await readFile(new URL('../../docs/authors.md', import.meta.url), 'utf8')
  const logged = Object.keys(derived).filter((key) => key.startsWith('logged'))
  const isNamed = (/** @type {string} */ rule) => page.includes(`| ${rule} |`) || page.includes(`| \`${rule}\` |`)
  const lost = Object.entries(derived).filter(([key, rule]) => !logged.includes(key) && !isNamed(rule))
  assert.deepEqual(lost, [])
})
