/** The door of comparisons: two servers of people's own, which belong to no lesson. */
export { compareServers } from './compare.js'
export { answerOf, createComparisonStandings, gatesOf } from './gates.js'
export { loadOfPaths } from './load-file.js'

/**
 * @typedef {import('./load-file.js').Load} Load
 * @typedef {import('./sides.js').Side} Side
 */
