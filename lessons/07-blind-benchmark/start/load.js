// As it stood in the article. One comparison of two servers takes more than three minutes and a half.
export default {
  users: 100,
  requests: 100,
  rampUpMs: 100_000,
  paths: ['/work'],
  durationMs: 110_000,
  figure: 'rate'
}
