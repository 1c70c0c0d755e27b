// Short rounds in turn, from the first request on.
export default {
  users: 4,
  paths: ['/work'],
  durationMs: 50,
  rounds: 6,
  figure: 'rate'
}
