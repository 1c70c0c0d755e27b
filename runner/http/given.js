import { refuse } from './refuse.js'

/** Rules for the input of a request: each returns it, or refuses it with the sentence and the status 400. Pure. */

/** @template {string} T @param {unknown} given @param {readonly T[]} all @param {string} sentence @returns {T} */
export function oneOf (given, all, sentence) {
  const found = all.find((one) => one === given)
  if (found === undefined) throw refuse(400, sentence)
  return found
}

/** @param {unknown} given @param {number} longest characters @param {string} sentence @returns {string} */
export function textUpTo (given, longest, sentence) {
  if (typeof given !== 'string' || given.length > longest) throw refuse(400, sentence)
  return given
}

/** @param {unknown} given @param {number} largest @param {string} sentence @returns {number} a whole one from 1 on */
export function numberUpTo (given, largest, sentence) {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 1 || given > largest) throw refuse(400, sentence)
  return given
}
