'use strict'

exports.inTurn = { warmup: 12, duration: 2, rounds: 30 }
