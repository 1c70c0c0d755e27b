export { checkLoadPlan } from './check-plan.js'
export { tryLoadPlan } from './try-plan.js'
