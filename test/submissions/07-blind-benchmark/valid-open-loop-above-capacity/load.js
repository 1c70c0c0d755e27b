// More than any of the servers can do. What is left over at the end of a round is waited for, so rounds are short.
export default {
  rate: 400,
  paths: ['/work'],
  warmUpMs: 200,
  durationMs: 36,
  rounds: 12,
  figure: 'rate'
}
