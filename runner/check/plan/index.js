export { checkPlan } from './check-plan.js'
export { planChecks } from './read-plan.js'
export { tryPlan } from './try-plan.js'
