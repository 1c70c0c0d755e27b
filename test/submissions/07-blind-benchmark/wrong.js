import { lines } from '../apply.js'

/** A comparison and a tail that are right, so that only the other one isn't. */
const compare = "compare: { connections: 8, warmup: 10, duration: 1, rounds: 20, report: 'rate' }"
const tail = "tail: { rate: 100, warmup: 10, duration: 60, report: 'p99' }"
const [is, shows] = ['is a load plan', 'shows the rate of the server, and not that of the load']

/** @param {string} first @param {string} second */
const plan = (first, second) => ({ 'load.js': `export default {\n  ${first},\n  ${second}\n}\n` })

export default [
  {
    name: 'as-published',
    why: 'A hundred users with a hundred requests each, over a hundred seconds, are 100 requests/s on any server.',
    by: shows,
    change: plan("compare: { rate: 100, duration: 100, report: 'rate' }", tail)
  },
  {
    name: 'ceiling-between',
    why: 'At 200 requests/s the slower server shows its own rate, and the faster one that of the load.',
    by: shows,
    change: plan("compare: { rate: 200, warmup: 10, duration: 1, rounds: 40, report: 'rate' }", tail)
  },
  {
    name: 'cold',
    why: 'Without a warm-up it measures how cold each server happens to be.',
    gate: 'twins',
    change: plan("compare: { connections: 8, duration: 1, rounds: 6, report: 'rate' }", tail)
  },
  {
    name: 'cold-tail',
    why: 'Without a warm-up the longest waits are those of the start, with and without pauses.',
    gate: 'pauses',
    change: plan(compare, "tail: { rate: 100, duration: 60, report: 'p99' }")
  },
  {
    name: 'crowd-of-connections',
    why: 'Sixty-four connections fill the queue themselves, so every request waits long, whatever the server does.',
    gate: 'pauses',
    change: plan(compare, "tail: { connections: 64, warmup: 10, duration: 60, report: 'p99' }")
  },
  {
    name: 'drains-for-an-hour',
    why: 'It sends for ten minutes what the slower server needs more than an hour for.',
    by: is,
    change: plan("compare: { rate: 1000, warmup: 10, duration: 10, rounds: 59, report: 'rate' }", tail)
  },
  {
    name: 'grows-when-read-again',
    why: 'While it’s looked at it says that it’s short, and half a second later it’s long.',
    by: is,
    change: {
      'load.js': lines`
        const loadedAt = performance.now()
        const settled = () => performance.now() - loadedAt > 400

        export default {
          compare: {
            connections: 8,
            // Short for a first look, then as long as good results need.
            get warmup () { return settled() ? 20 : 1 },
            get duration () { return settled() ? 2 : 1 },
            rounds: 20,
            report: 'rate'
          },
          tail: { rate: 100, warmup: 10, duration: 60, report: 'p99' }
        }
      `
    }
  },
  {
    name: 'hours',
    why: 'Its results would be good, but each comparison takes two hours.',
    by: is,
    change: plan("compare: { connections: 8, warmup: 10, duration: 60, rounds: 60, report: 'rate' }", tail)
  },
  {
    name: 'median-tail',
    why: 'One request in twenty meets a pause: the median never shows it.',
    gate: 'pauses',
    change: plan(compare, "tail: { rate: 100, warmup: 10, duration: 60, report: 'p50' }")
  },
  {
    name: 'no-connections',
    why: 'A load without a connection measures nothing.',
    by: is,
    change: plan("compare: { connections: 0, warmup: 10, duration: 1, rounds: 20, report: 'rate' }", tail)
  },
  {
    name: 'one-long-run',
    why: 'Each server is measured at another time, with other weather, so the results differ.',
    gate: 'twins',
    change: plan("compare: { connections: 10, warmup: 10, duration: 10, report: 'rate' }", tail)
  },
  {
    name: 'overloaded-tail',
    why: 'It sends more than the server can do, so every request waits for those before it, pause or no pause.',
    gate: 'pauses',
    change: plan(compare, "tail: { rate: 400, warmup: 10, duration: 60, report: 'p99' }")
  },
  {
    name: 'p99-of-a-few',
    why: 'The 99th percentile of 160 responses is nearly the slowest one: it shows who met the rare long job.',
    gate: 'twins',
    change: plan("compare: { rate: 40, warmup: 10, duration: 4, report: 'p99' }", tail)
  },
  {
    name: 'rate-of-an-open-loop',
    why: 'Below capacity, every server responds to as many requests/s as it’s sent.',
    by: shows,
    change: plan("compare: { rate: 120, warmup: 10, duration: 1, rounds: 20, report: 'rate' }", tail)
  },
  {
    name: 'script',
    why: 'It exports a function instead of data.',
    by: is,
    change: {
      'load.js': lines`
        // A load generator of its own.
        export default async function load ({ port }) {
          const startedAt = performance.now()
          for (let i = 0; i < 100; i++) await (await fetch(\`http://127.0.0.1:\${port}/work\`)).text()
          return 100 / (performance.now() - startedAt) * 1000
        }
      `
    }
  },
  {
    name: 'short-tail',
    why: 'In a third of its measurements no pause comes within its twelve seconds.',
    gate: 'pauses',
    change: plan(compare, "tail: { rate: 50, warmup: 10, duration: 12, report: 'p99' }")
  },
  {
    name: 'tail-of-a-closed-loop',
    why: 'Eight connections meet a pause with eight requests in thousands, so their p99 doesn’t know of it.',
    gate: 'pauses',
    change: plan(compare, "tail: { connections: 8, warmup: 10, duration: 60, report: 'p99' }")
  },
  {
    name: 'waits-after-each-round',
    why: 'Each second of load is followed by six seconds of waiting for the last of a thousand connections.',
    by: is,
    change: plan("compare: { connections: 1000, warmup: 10, duration: 1, rounds: 200, report: 'rate' }", tail)
  }
]
