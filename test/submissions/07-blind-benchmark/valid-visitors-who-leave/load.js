import { roundsIn } from './time.js'

// Each of them asks a few times and leaves: a round has a number of requests, and its rate is how long they took.
const rounds = roundsIn({ budgetMs: 2000, warmUpMs: 300, durationMs: 60 })

export default {
  users: 6,
  requests: 3,
  rampUpMs: 5,
  paths: ['/work', '/work?again'],
  ...rounds,
  figure: 'rate'
}
