// Everybody reports the 99th percentile.
export default {
  rate: 40,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 70,
  rounds: 10,
  figure: 'p99'
}
