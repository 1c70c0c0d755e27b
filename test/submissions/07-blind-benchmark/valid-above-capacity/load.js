// More than any of the servers can do, so the rate is the capacity. What has piled up is waited for after each round.
export default {
  compare: { rate: 500, warmup: 10, duration: 1, rounds: 25, report: 'rate' },
  tail: { rate: 20, warmup: 30, duration: 300, report: 'p99' }
}
