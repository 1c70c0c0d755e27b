export default {
  // A closed loop that keeps the server busy, in many short rounds, with the servers in turn.
  compare: {
    connections: 8,
    warmup: 10,
    duration: 1,
    rounds: 20,
    report: 'rate'
  },
  // An open loop well below the capacity, long enough to meet several pauses.
  tail: {
    rate: 100,
    warmup: 10,
    duration: 60,
    report: 'p99'
  }
}
