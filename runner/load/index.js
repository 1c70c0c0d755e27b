export { benchOne } from './by-hand.js'
export { isLargerSlower, unitOf } from './plan/figure.js'
export { problemsOfPlan, timeOfPlan } from './plan/plan.js'
export { readPlan } from './plan/read.js'
export { startSender } from './plan/sender.js'
export { startGenerator } from './start-generator.js'

/**
 * @typedef {import('./by-hand.js').Figures} Figures
 * @typedef {import('./plan/plan.js').LoadPlan} LoadPlan
 * @typedef {import('./plan/sender.js').Comparison} Comparison
 * @typedef {import('./plan/sender.js').Sender} Sender
 * @typedef {import('./start-generator.js').Generator} Generator
 * @typedef {import('./start-generator.js').SliceOrder} SliceOrder
 */
