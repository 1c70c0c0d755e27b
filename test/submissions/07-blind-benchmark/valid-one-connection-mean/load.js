// One connection: nothing ever queues, so a latency is the time of a job. All of them, in their mean.
const long = { warmup: 15, duration: 0.5, rounds: 40 }

export default {
  compare: { connections: 1, ...long, report: 'mean' },
  // Pauses are rare, so the run is long.
  tail: { rate: 50, connections: 100, warmup: 15, duration: 100, report: 'p99' }
}
