/**
 * @import { LoadPlan } from './plan.js'
 *
 * @typedef {object} CompareOrder
 * @property {[number, number]} ports on 127.0.0.1
 * @property {LoadPlan} plan
 * @property {number[]} first for each round, which server is first: 0 or 1
 *
 * @typedef {object} Comparison what a plan shows of two servers, in the order in which they were given
 * @property {[number | null, number | null]} figures null where no answer came
 * @property {number} answers of both
 * @property {number} wrong answers, and requests without one
 * @property {string[]} problems the first few, as sentences
 * @property {number} elapsedMs
 */
export {}
