/** @import { ContractResult, GateResult, LatencyResult, ResultRecord, RoundResult } from './record.js' */

/**
 * What a check tells while it runs; the terminal draws it live.
 *
 * @typedef {{ type: 'phase', phase: 'start' | 'contract' | 'warm-up' | 'rounds' | 'after' | 'inside', text: string }}
 *   PhaseEvent
 * @typedef {{ type: 'check', result: ContractResult, done: number, total: number }} CheckEvent
 *
 * @typedef {object} RoundEvent
 * @property {'round'} type
 * @property {RoundResult} round
 * @property {GateResult[]} gates in their current state; verdict `inconclusive` means not settled yet
 * @property {LatencyResult[]} [latencies] of all rounds so far
 * @property {number} elapsedMs
 *
 * @typedef {{ type: 'verdict', record: ResultRecord }} VerdictEvent the record without what a look inside adds, as soon
 *   as the verdict is settled, where something is looked at afterwards
 * @typedef {PhaseEvent | CheckEvent | RoundEvent | VerdictEvent} CheckProgress
 */

export {}
