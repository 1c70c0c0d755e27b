export { decide, newEvidence } from './verdict.js'
export { judgeGate, targetOf } from './gate.js'
export { runRounds } from './rounds.js'
export { mean, median, quantile, standardDeviation } from './statistics.js'
