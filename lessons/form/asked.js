/**
 * What draws request. Pure.
 *
 * @import { Operation } from '../../runner/lesson/index.js'
 * @import { ParsedRoute } from './types.js'
 *
 * @typedef {ReturnType<Operation['draw']>} Asked
 */

/**
 * Changes what a draw requests, even where that follows from earlier answers.
 *
 * @param {any} asked
 * @param {(plain: any) => any} change
 * @returns {Asked}
 */
export function changeAsked (asked, change) {
  if (asked === null) return null
  if (typeof asked !== 'function') return change(asked)
  return Object.assign((/** @type {any} */ answerOf) => changeAsked(asked(answerOf), change), asked)
}

/**
 * The whole request: what a draw leaves out is the route's.
 *
 * @param {ParsedRoute} route
 * @param {any} drawn a value of its parameter, or a request
 * @returns {any}
 */
export function requestOf ({ method, isRead, url }, drawn) {
  const usual = isRead ? {} : { method }
  return typeof drawn === 'object' ? { ...usual, path: url(), ...drawn } : { ...usual, path: url(drawn) }
}
