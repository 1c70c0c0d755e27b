/** The door of comparisons: two servers of people's own, which belong to no lesson. */
export { compareServers, withProfileTargets } from './compare.js'
export { gatesOf } from './comparison-gates.js'
export { answerOf, createComparisonStandings } from './standings.js'
export { loadOfPaths } from './load-file/load.js'
export { readLoadFile } from './load-file/read.js'
export { writeLoadFile } from './load-file/write.js'
export { openRepository } from './servers/repository.js'
export { runningAt } from './servers/running.js'

/**
 * @typedef {import('./load-file/load.js').Load} Load
 * @typedef {import('./servers/side.js').Side} Side
 */
