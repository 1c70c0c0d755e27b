// As much traffic as on a usual day.
export default {
  rate: 60,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 170,
  rounds: 4,
  figure: 'rate'
}
