// Users who think for a while, as users do.
export default {
  users: 4,
  pauseMs: 60,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 170,
  rounds: 4,
  figure: 'rate'
}
