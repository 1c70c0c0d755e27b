export { planChecks, tryPlan } from './plan/index.js'
export { runCheck } from './run-check.js'
export { diagnose, diagnoseDeeply } from './self-test/findings.js'
export { runSelfTest } from './self-test/index.js'
export { calibratedEntry, writeCalibrated } from './self-test/pair.js'
export { isUnchanged } from './unchanged.js'

/**
 * @typedef {import('./self-test/findings.js').Finding} Finding
 */
