export { mostPace, timesFor } from './budget.js'
export { loadsOf } from './loads.js'
export { noteSlice } from './evidence.js'
export { runFirstRound } from './first-round.js'
export { runRounds } from './rounds.js'

/** @typedef {import('./rounds.js').RoundsOutcome} RoundsOutcome */
