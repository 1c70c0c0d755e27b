import { patch } from '../apply.js'

export default [
  {
    name: 'valid-before-the-body',
    on: 'slow',
    why: 'CommonJS and restify; what does not fit is refused before its body is read.',
    files: 'right/before-the-body',
    change: patch`
      @@ book.js
      -import { hash } from 'node:crypto'
      +'use strict'
      +const { hash } = require('node:crypto')
      @@
      -export function openBook (opening) {
      +exports.openBook = function (opening) {
    `
  },
  {
    name: 'valid-book-process',
    on: 'slow',
    why: 'The book is in a separate process, and the orders in flight are bounded.',
    files: 'right/book-process'
  },
  {
    name: 'valid-expected-wait',
    on: 'solution',
    why: 'The bound follows from what a quote costs now, not from a number of jobs.',
    files: 'right/expected-wait',
    change: patch`
      -// How many quotes may wait: the last one waits about this many times as long as one takes.
      -const MOST_WAITING = 8
      +// What was promised to the traders. How many may wait for it follows from what a quote costs on this machine, \
        now.
      +const PROMISE_MS = 50
      @@
      -const line = openLine({ most: MOST_WAITING })
      +const line = openLine({ promiseMs: PROMISE_MS })
    `
  },
  {
    name: 'valid-in-slices',
    on: 'slow',
    why: 'A seal is computed in slices, and the event loop turns in between.',
    change: patch`
      @@ book.js
       import { hash } from 'node:crypto'
      +import { setImmediate as nextTurn } from 'node:timers/promises'
      @@
       const ROUNDS = 16_000
      +// The loop turns after each slice of a seal, so that others are answered in the middle of it.
      +const SLICE = 1000
      @@
      -    add ({ product, kilos, cents }) {
      +    async add ({ product, kilos, cents }) {
      @@
      -        seal: sealOf({ number, product, kilos, cents, previous })
      +        seal: await sealOf({ number, product, kilos, cents, previous })
      @@
      -function sealOf ({ number, product, kilos, cents, previous }) {
      +async function sealOf ({ number, product, kilos, cents, previous }) {
         let seal = hash('sha256', \`\${number} \${product} \${kilos} \${cents} \${previous}\`)
      -  for (let i = 1; i < ROUNDS; i++) seal = hash('sha256', seal)
      +  for (let i = 1; i < ROUNDS; i++) {
      +    seal = hash('sha256', seal)
      +    if (i % SLICE === 0) await nextTurn()
      +  }
      @@ server.js
      +const MOST = 8
      +let open = 0
      +let last = Promise.resolve()
      +
      +/** One after the other: a seal needs the one before. */
      +function addInTurn (entry) {
      +  const added = last.then(() => book.add(entry))
      +  last = added.catch(() => {})
      +  return added
      +}
      +
       const app = express()
      @@
      -app.post('/quotes', express.json(), (req, res) => {
      +app.post('/quotes', express.json(), async (req, res) => {
      @@
      -  res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +  if (open >= MOST) return res.status(503).set('Retry-After', '1').json({ error: 'overloaded' })
      +  open++
      +  try {
      +    res.status(201).json(await addInTurn({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +  } finally {
      +    open--
      +  }
    `
  },
  {
    name: 'valid-newest-first',
    on: 'solution',
    why: 'The newest is served first, and the oldest is refused.',
    files: 'right/newest-first',
    change: patch`
      -  const accepted = line.join(() => {
      +  line.join(() => {
      @@
      +  }, () => {
      +    res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
         })
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
    `
  },
  {
    name: 'valid-plain-http-deadline',
    on: 'slow',
    why: 'Plain node:http; the bound is how long an order has waited.',
    files: 'right/plain-http-deadline'
  },
  {
    name: 'valid-restify-promise',
    on: 'slow',
    why: 'Restify; room for as many as can be served in the promised time, and clients that left are skipped.',
    files: 'right/restify-promise'
  },
  {
    name: 'valid-worker',
    on: 'slow',
    why: 'The book is in a separate thread, and the orders in flight are bounded.',
    files: 'right/worker',
    change: patch`
      -import { openBook } from './book.js'
      +import { openBook, Overloaded } from './remote-book.js'
      @@
      -const book = openBook(opening)
      +const book = openBook(opening, { most: 8 })
      @@
      -app.post('/quotes', express.json(), (req, res) => {
      +app.post('/quotes', express.json(), async (req, res) => {
      @@
      -  res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +  res.status(201).json(await book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      @@
         if (res.headersSent) return next(error)
      +  if (error instanceof Overloaded) return res.status(503).set('Retry-After', '2').json({ error: 'overloaded' })
    `
  }
]
