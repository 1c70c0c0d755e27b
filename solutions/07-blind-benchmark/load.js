// A closed loop that keeps the server busy, in many short rounds, with the servers in turn.
export default {
  users: 8,
  paths: ['/work'],
  warmUpMs: 250,
  durationMs: 40,
  rounds: 12,
  figure: 'rate'
}
