// The starting copy.
export default {
  users: 100,
  requests: 100,
  rampUpMs: 100_000,
  paths: ['/work'],
  durationMs: 110_000,
  figure: 'rate'
}
