// Two addresses in turn.
export default {
  users: 6,
  paths: ['/work', '/wrok'],
  warmUpMs: 300,
  durationMs: 58,
  rounds: 12,
  figure: 'rate'
}
