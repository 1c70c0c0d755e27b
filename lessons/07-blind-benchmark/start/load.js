// The load from the article, and one that a colleague uses to find out how long clients wait.
export default {
  // 100 users × 100 requests, spread over 100 seconds.
  compare: {
    rate: 100 * 100 / 100,
    duration: 100,
    report: 'rate'
  },
  // npx autocannon -c 1 -d 10
  tail: {
    connections: 1,
    duration: 10,
    report: 'p99'
  }
}
