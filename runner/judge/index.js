/** The door of the judge: pure functions, and the words in which checks, lessons and reports speak of results. */
export * from './gate-kinds.js'
export {
  isInterim, isOpen, judgeGate, leastRounds, leastTrimmed, mostRounds, sayMeasured, sayUndecided, sideOfTarget,
  targetOf
} from './gate.js'
export * from './judge-rounds.js'
export * from './mechanism.js'
export {
  isRecord, leadingGate, leadingReason, reachedTier, sentRecord, sentRecordProblem
} from './record-schema.js'
// Types only.
export * from './record.js'
export * from './slice-figures.js'
export { growthOf, mean, median, quantile, standardDeviation } from './statistics.js'
export * from './verdict.js'
