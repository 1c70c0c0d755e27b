// One user: nothing ever queues, so the latency is the time of a job. All latencies in their mean.
export default {
  users: 1,
  paths: ['/work'],
  warmUpMs: 310,
  durationMs: 35,
  rounds: 15,
  figure: 'mean'
}
