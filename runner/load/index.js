export { benchOne, serveOne } from './by-hand.js'
export { isLargerSlower, unitOf } from './load-plan/plan-metric.js'
export { ceilingOf, problemsOfPlan, timeOfPlan } from './load-plan/plan.js'
export { readPlan } from './load-plan/read-plan.js'
export { startSender } from './load-plan/sender.js'
export { startGenerator } from './start-generator.js'

/**
 * @typedef {import('./by-hand.js').ByHand} ByHand
 * @typedef {import('./by-hand.js').Figures} Figures
 * @typedef {import('./generator.js').SliceOrder} SliceOrder
 * @typedef {import('./load-plan/compare-order.js').Comparison} Comparison
 * @typedef {import('./load-plan/plan.js').LoadPlan} LoadPlan
 * @typedef {import('./load-plan/sender.js').Sender} Sender
 * @typedef {import('./start-generator.js').Generator} Generator
 */
