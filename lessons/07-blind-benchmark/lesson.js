import { makeMachine } from './machine.js'

/** @import { Gate, Lesson } from '../../runner/lesson/index.js' */

/** What the answer of a path must contain. @type {Record<string, string[]>} */
const answers = { '/work': ['status', 'job'], '/healthz': ['status'] }

/**
 * A lesson about a load plan has no contract and no loads.
 *
 * @type {Omit<Lesson, 'contract' | 'loads' | 'mechanism' | 'gates'> & { gates: Omit<Gate, 'load'>[] }}
 */
export default {
  id: 'blind-benchmark',
  title: 'Blind benchmark',
  part: 'Go further',
  summary: 'A benchmark that shows 99 requests/s, whatever it is run on. Repair the benchmark, not the server.',
  kind: 'load plan',

  plan: {
    slowness: 5 / 3,
    budgetMs: 2000,
    slowerRate: 130,
    files: ({ random, slowness }) => ({ 'machine.json': JSON.stringify(makeMachine(random, slowness)) }),
    check ({ path, status, text }) {
      if (status !== 200) return `expected status 200, got ${status}.`
      const fields = answers[path.split('?')[0]] ?? []
      try {
        const body = JSON.parse(text)
        if (fields.every((field) => field in body)) return undefined
      } catch {}
      return `expected JSON with ${fields.join(' and ')}, got ${JSON.stringify(text.slice(0, 60))}.`
    }
  },

  gates: [
    {
      name: 'slower server',
      kind: 'apart',
      target: 1.16,
      look: 'What decides your figure: how long the server takes, or when your load sends its requests?'
    },
    {
      name: 'twins',
      kind: 'alike',
      target: 1.25,
      look: 'What was different while you measured the second server, if the servers were the same?'
    }
  ]
}
