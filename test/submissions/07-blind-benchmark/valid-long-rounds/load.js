// Not short rounds, but so long ones that each meets good and bad moments.
export default {
  compare: { connections: 16, warmup: 20, duration: 60, rounds: 8, report: 'rate' },
  tail: { rate: 100, connections: 1, warmup: 10, duration: 20, rounds: 3, report: 'p99' }
}
