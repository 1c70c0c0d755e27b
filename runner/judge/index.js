/** The door of the judge: pure functions, and the words in which checks, lessons and reports speak of results. */
export * from './gate-kinds.js'
export { leadingGate, leadingReason, reachedTier, sayMeasured, sideOfTarget } from './gate-messages.js'
export { isInterim, judgeGate, leastRounds, leastTrimmed, mostRounds, targetOf } from './gate.js'
export * from './judge-rounds.js'
export * from './mechanism.js'
export { isRecord, sentRecord, sentRecordProblem } from './record-schema.js'
// Types only.
export * from './record.js'
export * from './slice-figures.js'
export { growthOf, mean, median, quantile, standardDeviation } from './statistics.js'
export * from './verdict.js'
