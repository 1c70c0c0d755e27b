// An open loop well below what either server can do: nobody waits for long, so the median is about one service.
export default {
  rate: 80,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 70,
  rounds: 10,
  figure: 'p50'
}
