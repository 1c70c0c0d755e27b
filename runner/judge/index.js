/** The door of the judge: pure functions, and the words in which checks, lessons and reports speak of results. */
export { gateKinds, kindOf, kindsFor } from './gate-kinds.js'
export {
  gatesOf, judgeRehearsal, leadingGate, leadingReason, marginOf, mergeTiers, reachedTier, sayMeasured, standingOf
} from './gate-messages.js'
export { isInterim, judgeGate, leastRounds, leastTrimmed, mostRounds, targetOf } from './gate.js'
export { cpuPerRequestOf, judgePairs, judgeRounds, latenciesOf, summariseLoad } from './judge-rounds.js'
export { contradictions, figures, seeMechanism } from './mechanism.js'
export { isRecord, sentRecord, sentRecordProblem } from './record-schema.js'
export { disturbance, histogramOf, isHandicap, mergeHistograms } from './slice.js'
export { createGateStandings, createStandings } from './standings.js'
export { growthOf, mean, median, quantile, standardDeviation } from './statistics.js'
export {
  answersAreRight, decide, isSound, mayPass, mergeEvidence, newEvidence, nextWithPlace, unchangedGates
} from './verdict.js'

/**
 * @typedef {import('./gate-kinds.js').Gate} Gate
 * @typedef {import('./gate-kinds.js').GateKind} GateKind
 * @typedef {import('./gate-kinds.js').Kind} Kind
 * @typedef {import('./gate-kinds.js').Machine} Machine
 * @typedef {import('./gate-kinds.js').Observation} Observation
 * @typedef {import('./gate-messages.js').Rehearsed} Rehearsed
 * @typedef {import('./judge-rounds.js').Role} Role
 * @typedef {import('./judge-rounds.js').Round} Round
 * @typedef {import('./mechanism.js').Mechanism} Mechanism
 * @typedef {import('./mechanism.js').Sample} Sample
 * @typedef {import('./mechanism.js').Sides} Sides
 * @typedef {import('./record.js').ContractResult} ContractResult
 * @typedef {import('./record.js').CoursePoint} CoursePoint
 * @typedef {import('./record.js').GateResult} GateResult
 * @typedef {import('./record.js').Interval} Interval
 * @typedef {import('./record.js').LatencyFigures} LatencyFigures
 * @typedef {import('./record.js').LatencyResult} LatencyResult
 * @typedef {import('./record.js').LoadResult} LoadResult
 * @typedef {import('./record.js').MachineResult} MachineResult
 * @typedef {import('./record.js').MechanismFigure} MechanismFigure
 * @typedef {import('./record.js').MechanismResult} MechanismResult
 * @typedef {import('./record.js').ResultRecord} ResultRecord
 * @typedef {import('./record.js').RoundResult} RoundResult
 * @typedef {import('./record.js').SentRecord} SentRecord
 * @typedef {import('./record.js').TierResult} TierResult
 * @typedef {import('./record.js').Verdict} Verdict
 * @typedef {import('./record.js').WaterfallBar} WaterfallBar
 * @typedef {import('./record.js').WaterfallResult} WaterfallResult
 * @typedef {import('./slice.js').GeneratorFigures} GeneratorFigures
 * @typedef {import('./slice.js').Problem} Problem
 * @typedef {import('./slice.js').ServerFigures} ServerFigures
 * @typedef {import('./slice.js').Slice} Slice
 * @typedef {import('./slice.js').SliceConditions} SliceConditions
 * @typedef {import('./slice.js').SliceFigures} SliceFigures
 * @typedef {import('./slice.js').SliceReport} SliceReport
 * @typedef {import('./standings.js').Standings} Standings
 * @typedef {import('./verdict.js').CheckEvent} CheckEvent
 * @typedef {import('./verdict.js').CheckProgress} CheckProgress
 * @typedef {import('./verdict.js').Decision} Decision
 * @typedef {import('./verdict.js').Evidence} Evidence
 * @typedef {import('./verdict.js').Names} Names
 * @typedef {import('./verdict.js').PhaseEvent} PhaseEvent
 * @typedef {import('./verdict.js').RoundEvent} RoundEvent
 * @typedef {import('./verdict.js').VerdictEvent} VerdictEvent
 */
