// The address that always answers.
export default {
  users: 4,
  pauseMs: 5,
  paths: ['/healthz'],
  warmUpMs: 200,
  durationMs: 70,
  rounds: 10,
  figure: 'p50'
}
