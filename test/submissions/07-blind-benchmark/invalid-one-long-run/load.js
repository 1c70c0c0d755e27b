// First the one, then the other, as benchmarks are usually run.
export default {
  users: 8,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 690,
  figure: 'rate'
}
