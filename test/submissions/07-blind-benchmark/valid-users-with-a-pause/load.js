// They think between two requests, and are so many that the server has always somebody to serve.
export default {
  users: 12,
  pauseMs: 8,
  maxSockets: 12,
  paths: ['/work'],
  warmUpMs: 300,
  durationMs: 60,
  rounds: 11,
  figure: 'rate'
}
