// A closed loop that keeps the server busy, in many short rounds, with the servers in turn.
export default {
  users: 6,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 58,
  rounds: 12,
  figure: 'rate'
}
