// Nobody comes.
export default {
  users: 0,
  paths: ['/work'],
  durationMs: 50,
  rounds: 10,
  figure: 'mean'
}
