// Two users: one is served while the other waits. The latency is two services long, and the mean counts every one of
// them.
export default {
  users: 2,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 70,
  rounds: 10,
  figure: 'mean'
}
