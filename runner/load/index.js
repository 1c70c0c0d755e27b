export { isLargerSlower, unitOf } from './load-plan/plan-metric.js'
export { ceilingOf, problemsOfPlan, timeOfPlan } from './load-plan/plan.js'
export { readPlan } from './load-plan/read-plan.js'
export { startSender } from './load-plan/sender.js'
export * from './start-load.js'

/**
 * @typedef {import('./generator.js').SliceOrder} SliceOrder
 * @typedef {import('./load-plan/compare-order.js').Comparison} Comparison
 * @typedef {import('./load-plan/plan.js').LoadPlan} LoadPlan
 * @typedef {import('./load-plan/sender.js').Sender} Sender
 */
