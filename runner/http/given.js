import { refuse } from './refuse.js'

/**
 * Rules for what a request brings: each gives it back, now with its type, or refuses it with the sentence. Pure.
 *
 * @import { WorkshopError } from '../errors.js'
 */

/**
 * @template {string} T
 * @param {unknown} given as it came
 * @param {readonly T[]} all
 * @param {string} sentence
 * @returns {T}
 * @throws {WorkshopError} with the status 400
 */
export function oneOf (given, all, sentence) {
  const found = all.find((one) => one === given)
  if (found === undefined) throw refuse(400, sentence)
  return found
}

/**
 * @param {unknown} given as it came
 * @param {number} longest characters
 * @param {string} sentence
 * @returns {string}
 * @throws {WorkshopError} with the status 400
 */
export function textUpTo (given, longest, sentence) {
  if (typeof given !== 'string' || given.length > longest) throw refuse(400, sentence)
  return given
}

/**
 * @param {unknown} given as it came
 * @param {number} largest
 * @param {string} sentence
 * @returns {number} a whole one from 1 on
 * @throws {WorkshopError} with the status 400
 */
export function numberUpTo (given, largest, sentence) {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 1 || given > largest) throw refuse(400, sentence)
  return given
}
