// The published load, cut until it fits.
export default {
  users: 50,
  requests: 1,
  rampUpMs: 1000,
  paths: ['/work'],
  durationMs: 1000,
  figure: 'rate'
}
