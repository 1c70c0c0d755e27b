import assert from 'node:assert/strict'
import test from 'node:test'
import { findPromises, passagesIn } from './promises.js'

const text = `# Shop

No order is lost, they say.

## What a correct server does

| request | answer |
|---|---|
| \`GET /orders\` | 200, all orders; \`{ "a; b": 1 }\` stays whole |
| \`GET /orders/:id\`, with any query | 200, one order with its \`accessToken\` |
| | 404 \`{"error":"not_found"}\` when there is no such order |
| \`POST /orders\` | 201, the order with its \`id\`; 400 without a product |

**An order is seen by the very next read.** A request that was refused leaves no trace
in it. [Bodies](#top) that are not JSON get a 4xx:

- every order costs a whole hash;
- nobody is sent away. \`HEAD\` works, too.

![An order that is lost](lost.svg)

## 1. Establish a baseline

An order that is lost, even when the server is stopped.
`

/** @param {string} rule @param {string} [name] of an operation @returns {string | null | undefined} */
const wordsFor = (rule, name = 'any') =>
  findPromises(text, { operations: { [name]: { rule, draw: () => null } }, contract: [] }).get(rule)

test('a text is split into rows, their parts, sentences and clauses, without marks', () => {
  assert.deepEqual(passagesIn(text).map(({ words }) => words), [
    'GET /orders | 200, all orders; { "a; b": 1 } stays whole',
    '200, all orders',
    '{ "a; b": 1 } stays whole',
    'GET /orders/:id, with any query | 200, one order with its accessToken',
    '404 {"error":"not_found"} when there is no such order',
    'POST /orders | 201, the order with its id; 400 without a product',
    '201, the order with its id',
    '400 without a product',
    'An order is seen by the very next read.',
    'A request that was refused leaves no trace in it.',
    'Bodies that are not JSON get a 4xx',
    'every order costs a whole hash',
    'nobody is sent away.',
    'HEAD works, too.'
  ])
  const [, , , , none] = passagesIn(text)
  assert.equal(none.route, 'GET /orders/:id, with any query', 'an empty first cell repeats the one above')
  assert.deepEqual(passagesIn('One. Two.').map(({ words }) => words), ['One.', 'Two.'])
})

for (const [rule, words, name] of /** @type {[string, string | null, string?][]} */ ([
  ['shows a new order in the very next read', 'An order is seen by the very next read.'],
  ['hashes at every order', 'every order costs a whole hash'],
  ['answers 404 to an order that does not exist', '404 {"error":"not_found"} when there is no such order'],
  ['refuses an order without a product', '400 without a product'],
  ['refuses a body that is not JSON', 'Bodies that are not JSON get a 4xx'],
  ['leaves no trace of what it refused, even when it was stopped', 'A request that was refused leaves no trace in it.'],
  ['gives an access token', 'GET /orders/:id, with any query | 200, one order with its accessToken'],
  ['sends it', 'GET /orders/:id, with any query | 200, one order with its accessToken', 'GET /orders/:id, if changed'],
  ['answers 404 to an id of no order', '404 {"error":"not_found"} when there is no such order', 'GET /orders/:id'],
  ['answers 413 to an order that is too long', null, 'POST /orders'],
  ['is kind to cats', null]
])) {
  test(`“${rule}” is promised by: ${words}`, () => assert.equal(wordsFor(rule, name), words))
}

test('rule, effect and check are promised once each, and an author overrules what is found', () => {
  const operations = {
    add: { rule: 'answers 201', effect: 'shows it in the very next read', touches: ['read'], draw: () => null },
    read: { rule: 'answers 201', draw: () => null }
  }
  const contract = [{ name: 'is kind to cats', run: async () => {} }]
  const promised = { 'is kind to cats': 'nobody is sent away.', 'answers 201': 'HEAD works, too.' }
  assert.deepEqual([...findPromises(text, { operations, contract, promised })], [
    ['answers 201', 'HEAD works, too.'],
    ['shows it in the very next read', 'An order is seen by the very next read.'],
    ['is kind to cats', 'nobody is sent away.']
  ])
})

test('an empty text promises nothing', () => {
  assert.deepEqual([...findPromises('', { contract: [{ name: 'answers', run: async () => {} }] })], [['answers', null]])
})
