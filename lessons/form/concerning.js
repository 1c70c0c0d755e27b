import { isDeepStrictEqual } from 'node:util'

/**
 * Values and writes that a check can use: a value that a route takes, and a write that changes what is shown of it.
 * Pure but for the random numbers that they are handed.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { ParsedRoute } from './types.js'
 *
 * @typedef {{ value: any, json: any, after: any }} Change value: of the parameter; json: what is sent; after: the state
 */

/** A random write rarely concerns a given one of many values. */
const mostTries = 200

/**
 * Any value of a read's parameter; '' without one.
 *
 * @param {ParsedRoute} route
 * @param {{ random: Random, state: any }} given
 */
export function anyValue ({ hasParameter, good = () => '' }, given) {
  return hasParameter ? good(given) : ''
}

/**
 * A write that changes what a read shows.
 *
 * @param {ParsedRoute} route with an `is`
 * @param {ParsedRoute} write with a `then`
 * @param {{ random: Random, state: any }} given
 * @param {any} [wanted] the value of the route's parameter, default: one that the write concerns
 * @returns {Change | null} null: none was found
 */
export function changing (route, { name, underLoad, then = (state) => state }, { random, state }, wanted) {
  const { hasParameter, good = () => '', near = good } = route
  for (let tries = 0; tries < mostTries; tries++) {
    const json = underLoad(random, { sent: [], state })
    const after = then(state, json)
    const value = wanted ?? (hasParameter ? near({ random, state: after, after: name, about: json }) : '')
    if (!isDeepStrictEqual(shownOf(route, state, value), shownOf(route, after, value))) return { value, json, after }
  }
  return null
}

/** What a read shows of a value. @param {ParsedRoute} route @param {any} state @param {any} value */
export function shownOf ({ is, url, anyQuery }, state, value) {
  if (anyQuery) return is?.(state, url(value))
  return is?.(state, typeof value === 'object' ? value : String(value))
}
