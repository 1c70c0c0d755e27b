'use strict'

const { inTurn } = require('./rounds.js')

module.exports = {
  compare: { connections: 4, ...inTurn, report: 'mean' },
  tail: { rate: 100, ...inTurn, report: 'p99' }
}
