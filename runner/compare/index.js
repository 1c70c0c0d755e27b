/** The door of comparisons: two servers of people's own, which belong to no lesson. */
export { compareServers, withProfileTargets } from './compare.js'
export { gatesOf } from './comparison-gates.js'
export { answerOf, createComparisonStandings } from './conclude.js'
export { loadOfPaths, readLoadFile } from './load-file.js'
export { openRepository, runningAt } from './sides.js'
export { writeLoadFile } from './write-load-file.js'

/**
 * @typedef {import('./load-file.js').Load} Load
 * @typedef {import('./sides.js').Side} Side
 */
