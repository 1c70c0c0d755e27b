export { checkLoadPlan } from './check-plan.js'
export { loadPlanChecks } from './read-plan.js'
export { tryLoadPlan } from './try-plan.js'
