// The load from the article. One comparison of two servers takes more than three and a half minutes.
export default {
  users: 100,
  requests: 100,
  rampUpMs: 100_000,
  paths: ['/work'],
  durationMs: 110_000,
  figure: 'rate'
}
