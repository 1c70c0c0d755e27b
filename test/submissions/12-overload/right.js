import { lines } from '../apply.js'

export default [
  {
    name: 'valid-before-the-body',
    on: 'slow',
    why: 'CommonJS and restify; what does not fit is refused before its body is read.',
    files: 'right/before-the-body',
    change: {
      'book.js': [
        [lines`
          import { hash } from 'node:crypto'
        `, lines`
          'use strict'
          const { hash } = require('node:crypto')
        `],
        ['export function openBook', 'exports.openBook = function']
      ]
    }
  },
  {
    name: 'valid-book-process',
    on: 'slow',
    why: 'The book is in a process of its own, and what is under way is bounded.',
    files: 'right/book-process'
  },
  {
    name: 'valid-expected-wait',
    on: 'solution',
    why: 'The bound follows from what a quote costs now, not from a number of jobs.',
    files: 'right/expected-wait',
    change: {
      'server.js': [
        [lines`
          // So many quotes may wait: the last of them waits for about this many times the cost of one.
          const MOST_WAITING = 8
        `, lines`
          // What was promised to the traders. How many may wait for it follows from what a quote costs on this \
            machine, now.
          const PROMISE_MS = 50
        `],
        ['most: MOST_WAITING', 'promiseMs: PROMISE_MS']
      ]
    }
  },
  {
    name: 'valid-in-slices',
    on: 'slow',
    why: 'A seal is computed in slices, and the event loop turns in between.',
    change: {
      'book.js': [
        [lines`

          const ROUNDS = 16_000
        `, lines`
          import { setImmediate as nextTurn } from 'node:timers/promises'

          const ROUNDS = 16_000
          // The loop turns after each slice of a seal, so that others are answered in the middle of it.
          const SLICE = 1000
        `],
        [lines`
              add ({ product, kilos, cents }) {
        `, lines`
              async add ({ product, kilos, cents }) {
        `],
        [': sealOf', ': await sealOf'],
        ['function sealOf', 'async function sealOf'],
        [lines`
            for (let i = 1; i < ROUNDS; i++) seal = hash('sha256', seal)
        `, lines`
            for (let i = 1; i < ROUNDS; i++) {
              seal = hash('sha256', seal)
              if (i % SLICE === 0) await nextTurn()
            }
        `]
      ],
      'server.js': [
        [lines`
          const app = express()
        `, lines`
          const MOST = 8
          let open = 0
          let last = Promise.resolve()

          /** One after the other: a seal needs the one before. */
          function addInTurn (entry) {
            const added = last.then(() => book.add(entry))
            last = added.catch(() => {})
            return added
          }

          const app = express()
        `],
        ['), (req,', '), async (req,'],
        [lines`
            res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
        `, lines`
            if (open >= MOST) return res.status(503).set('Retry-After', '1').json({ error: 'overloaded' })
            open++
            try {
              res.status(201).json(await addInTurn({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
            } finally {
              open--
            }
        `]
      ]
    }
  },
  {
    name: 'valid-newest-first',
    on: 'solution',
    why: 'The newest is served first, and the oldest is refused.',
    files: 'right/newest-first',
    change: {
      'server.js': [
        [lines`
            const accepted = line.join(() => {
        `, lines`
            line.join(() => {
        `],
        [lines`
            })
            if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
        `, lines`
            }, () => {
              res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
            })
        `]
      ]
    }
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
    why: 'The book is in a thread of its own, and what is under way is bounded.',
    files: 'right/worker',
    change: {
      'server.js': [
        ["openBook } from './", "openBook, Overloaded } from './remote-"],
        ['opening)', 'opening, { most: 8 })'],
        ['), (req,', '), async (req,'],
        ['json(book', 'json(await book'],
        [lines`
            if (res.headersSent) return next(error)
        `, lines`
            if (res.headersSent) return next(error)
            if (error instanceof Overloaded) return res.status(503).set('Retry-After', '2').json({ error: \
            'overloaded' })
        `]
      ]
    }
  }
]
