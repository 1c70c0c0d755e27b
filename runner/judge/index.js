/** The door of the judge: pure functions, and the words in which checks, lessons and reports speak of results. */
export { cpuPerRequestOf } from './cpu-per-request.js'
export { disturbance, isHandicap } from './disturbed.js'
export { figures } from './inside-metrics.js'
export { judgeGate, targetOf } from './gate.js'
export { gateKinds, kindOf, kindsFor } from './gate-kinds.js'
export { histogramOf, mergeHistograms } from './histogram.js'
export { growthOf } from './growth.js'
export { latenciesOf } from './latencies.js'
export { leadingGate, reachedTier } from './leading-gate.js'
export { summariseLoad } from './load-summary.js'
export { judgePairs, judgeRounds } from './judge-rounds.js'
export { judgeRehearsal, marginOf } from './margin.js'
export { contradictions, seeMechanism } from './mechanism.js'
export { isInterim, leastRounds, leastTrimmed, mostRounds } from './stopping-rule.js'
export { resolutionOf } from './resolution.js'
export { sayMeasured, standingOf } from './gate-messages.js'
export { leadingReason } from './leading-reason.js'
export { isRecord, sentRecord, sentRecordProblem } from './sent-record.js'
export { createGateStandings, createStandings } from './standings.js'
export { mean, median, quantile, standardDeviation } from './statistics.js'
export { gatesOf, mergeTiers } from './tiers.js'
export { unchangedGates } from './unchanged-gates.js'
export { answersAreRight, decide, isSound, mayPass, mergeEvidence, newEvidence, nextWithPlace } from './verdict.js'
export * from './check-progress.js'
export * from './record.js'
export * from './round.js'
export * from './slice.js'

/**
 * @typedef {import('./inside-metrics.js').Sample} Sample
 * @typedef {import('./gate-kinds.js').Gate} Gate
 * @typedef {import('./gate-kinds.js').GateKind} GateKind
 * @typedef {import('./gate-kinds.js').Kind} Kind
 * @typedef {import('./gate-kinds.js').Machine} Machine
 * @typedef {import('./gate-kinds.js').Observation} Observation
 * @typedef {import('./margin.js').Rehearsed} Rehearsed
 * @typedef {import('./mechanism.js').Mechanism} Mechanism
 * @typedef {import('./mechanism.js').Sides} Sides
 * @typedef {import('./standings.js').Standings} Standings
 * @typedef {import('./verdict.js').Decision} Decision
 * @typedef {import('./verdict.js').Evidence} Evidence
 * @typedef {import('./verdict.js').Names} Names
 */
