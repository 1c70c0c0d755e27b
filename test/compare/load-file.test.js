import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { drawRequests, problemsOfLoad, readLoadFile } from '../../compare/load-file.js'
import { createRandom } from '../../runner/shared/random.js'
import { temporaryFolder } from '../temporary.js'

const whole = {
  requests: [
    { path: '/movies/{id}', weight: 3 },
    {
      method: 'POST',
      path: '/orders',
      headers: { authorization: 'Bearer {token}' },
      body: { movie: '{id}', by: 'a{id}' }
    },
    { path: '{order}', keep: { next: 'body.next' } }
  ],
  inputs: { id: { from: 1, to: 9 }, word: ['a', 'b'], page: { weights: { 1: 5, 2: 1 } } },
  connections: 4,
  rate: 100,
  before: [{ method: 'POST', path: '/login', body: 'x', keep: { token: 'body.token', order: 'headers.location' } }],
  ignore: ['ts']
}

test('a whole load has no problems, nor has the one in the docs', () => {
  const docs = fs.readFileSync(new URL('../../docs/compare.md', import.meta.url), 'utf8')
  const [, example] = /```json\n([^`]+)```/.exec(docs) ?? assert.fail('no example')
  for (const load of [whole, JSON.parse(example)]) assert.deepEqual(problemsOfLoad(load), [])
})

for (const [what, change, problem] of /** @type {[string, any, string][]} */ ([
  ['no requests', { requests: [] }, 'requests: must be a list with at least one item, got a list'],
  ['a misspelt field', { conections: 4 }, 'conections: there is no such field, did you mean "connections"?'],
  ['a path without a slash', { requests: [{ path: 'movies' }] },
    'requests[0].path: must be a path that begins with a slash, encoded as encodeURIComponent does, got "movies"'],
  ['an unknown method', { requests: [{ path: '/', method: 'get' }] },
    'requests[0].method: must be a method ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"), got "get"'],
  ['a header that is ours', { requests: [{ path: '/', headers: { Host: 'x' } }] },
    'requests[0].headers: must be without Host, which is set for each request, got an object'],
  ['a header with a line break', { requests: [{ path: '/', headers: { a: 'x\r\nb: c' } }] },
    'requests[0].headers: must be an object of names and lines of plain ASCII, got an object'],
  ['a weight of 0', { requests: [{ path: '/', weight: 0 }] }, 'requests[0].weight: must be a number above 0, got 0'],
  ['an input that ends before it begins', { inputs: { id: { from: 3, to: 1 } } },
    'inputs.id.to: must be a whole number from 3, got 1'],
  ['a place that nothing fills', { requests: [{ path: '/{no}' }] },
    'requests[0]: has the placeholder {no}, which no input and no `keep` before it fills'],
  ['a value that is kept too late', { before: [{ path: '/{token}' }, { path: '/', keep: { token: 'body' } }] },
    'before[0]: has the placeholder {token}, which no input and no `keep` before it fills'],
  ['nothing to begin with', { requests: [{ path: '/{a}', keep: { a: 'body.a' } }] },
    'requests: must have one without placeholders that only later answers fill, to begin with'],
  ['a place in no part of an answer', { requests: [{ path: '/', keep: { a: 'boddy.a' } }] },
    'requests[0].keep: must be names with a place in the answer each: "body.token", "headers.location", ' +
    '"cookies.session", got an object']
])) {
  test(`refuses ${what}`, () => assert.equal(problemsOfLoad({ ...whole, ...change })[0], problem))
}

test('draws by weight, the same for the same seed, and waits for values of earlier answers', () => {
  const kept = /** @type {Record<string, string>} */ ({})
  const load = { ...whole, requests: [...whole.requests.slice(0, 2), { path: '{order}', weight: 2 }] }
  const draw = drawRequests(load, createRandom('a'), kept)
  const first = Array.from({ length: 200 }, () => draw.next().path)
  assert.ok(first.every((path) => /^\/movies\/[1-9]$/.test(path)), String(first))
  const again = drawRequests(load, createRandom('a'))
  assert.deepEqual(Array.from({ length: 200 }, () => again.next().path), first)
  Object.assign(kept, { token: 'a b', order: 'http://x:80/orders/7?a=%20' })
  assert.equal(draw.nth(2)?.path, '/orders/7?a=%20')
  const order = draw.nth(1)
  assert.equal(order?.headers.authorization, 'Bearer a b')
  const { movie, by } = JSON.parse(order?.body ?? '')
  assert.equal(by, `a${movie}`)
  assert.equal(typeof movie, 'number')
  assert.ok(!order?.key.includes('a b'), 'a value of `before` tells servers apart, not requests')
  const paths = Array.from({ length: 600 }, () => draw.next()).map(({ request }) => request.path)
  const share = paths.filter((path) => path === '{order}').length / paths.length
  assert.ok(share > 0.25 && share < 0.42, `${share} of a third`)
})

test('reads JSON and modules, and says in a sentence what it cannot read', async (t) => {
  const dir = temporaryFolder(t)
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    fs.writeFileSync(path.join(dir, name), text)
    return readLoadFile(path.join(dir, name))
  }
  assert.deepEqual(await write('load.json', `\ufeff${JSON.stringify(whole)}`), whole)
  const module = 'export default { requests: [{ path: "/{a}" }], before: () => ({ a: 1 }) }'
  const { before } = await write('load.mjs', module)
  assert.equal(typeof before, 'function')
  for (const [name, text, problem] of /** @type {[string, string, RegExp][]} */ ([
    ['bad.json', '{', /bad\.json isn’t JSON \(.+\): a load file is JSON, or a JavaScript module/],
    ['two.json', '{ "requests": [], "rate": 0 }', /two\.json: requests: must.*\n.*two\.json: rate: must/],
    ['throws.mjs', 'null.x', /throws\.mjs can’t be imported: Cannot read properties of null/]
  ])) await assert.rejects(write(name, text), problem)
  await assert.rejects(readLoadFile(path.join(dir, 'no')), /There is no load file .*no: name one with --load, or give/)
})
