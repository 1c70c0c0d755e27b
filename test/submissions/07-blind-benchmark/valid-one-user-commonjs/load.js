'use strict'

const { paths, interleaved } = require('./rounds.js')

// Nobody ever waits in the queue: a latency is one service, and the median does not see the rare long ones.
module.exports = { users: 1, pauseMs: 1, paths, ...interleaved, figure: 'p50' }
