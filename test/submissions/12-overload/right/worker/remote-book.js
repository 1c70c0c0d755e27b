import { Worker } from 'node:worker_threads'

export class Overloaded extends Error {}

/**
 * The book in a thread of its own. One thread: every seal needs the one before, so a second could only wait. The worker
 * takes its messages in the order in which they were sent.
 */
export function openBook (opening, { most }) {
  const quotes = new Map()
  const underway = []
  const worker = new Worker(new URL('book-worker.js', import.meta.url), { workerData: { opening } })
  worker.on('message', (quote) => {
    quotes.set(quote.number, quote)
    underway.shift().resolve(quote)
  })
  // A book that is gone cannot be made anew here. Whoever watches over the process starts it again.
  worker.on('error', (error) => { throw error })

  return {
    add: (entry) => new Promise((resolve, reject) => {
      if (underway.length >= most) return reject(new Overloaded())
      underway.push({ resolve })
      worker.postMessage(entry)
    }),
    get: (number) => quotes.get(number)
  }
}
