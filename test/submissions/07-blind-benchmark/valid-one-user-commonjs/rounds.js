'use strict'

exports.paths = ['/work']

/** As many short rounds as there is time for: the weather changes, and both servers should see all of it. */
exports.interleaved = { warmUpMs: 250, durationMs: 30, rounds: 25 }
