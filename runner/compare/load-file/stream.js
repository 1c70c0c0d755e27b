import { fill, placeholdersIn } from './fill.js'
import { isSafe } from './load.js'

/**
 * @import { Random } from '../../random.js'
 * @import { Input, Kept, Load, LoadRequest } from './load.js'
 *
 * @typedef {object} ConcreteRequest ready to be sent
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} [body]
 * @property {string} key equal for equal requests, whatever `before` has kept for each server
 * @property {boolean} safe
 * @property {LoadRequest} request what it was made of
 * @property {Kept} inputs what was drawn for it
 *
 * @typedef {object} Draws
 * @property {() => ConcreteRequest} next by the weights, of those that can be sent by now
 * @property {(index: number) => ConcreteRequest | null} nth that one; null where a placeholder cannot be filled yet
 */

/**
 * The requests of a load, one after the other: the same for the same random numbers and the same values kept.
 *
 * @param {Load} load
 * @param {Random} random
 * @param {Kept} [kept] read at every draw: put values of answers into it
 * @returns {Draws}
 */
export function drawRequests ({ requests, inputs = {} }, random, kept = {}) {
  const keptByLoad = requests.flatMap(({ keep = {} }) => Object.keys(keep))
  const drawers = Object.entries(inputs).map(([name, input]) => ({ name, draw: drawerOf(input) }))
  const choices = requests.map((request) => ({
    request,
    weight: request.weight ?? 1,
    later: placeholdersIn(request).filter((name) => !Object.hasOwn(inputs, name)),
    // Its placeholders are filled for each request; without any it is made once.
    ready: isFixed(request) ? concrete(request, { drawn: {}, kept, keptByLoad }) : null
  }))
  const drawAll = () => Object.fromEntries(drawers.map(({ name, draw }) => [name, draw(random)]))
  const make = (/** @type {typeof choices[0]} */ { request, ready }) =>
    ready ?? concrete(request, { drawn: drawAll(), kept, keptByLoad })
  const canBeSent = (/** @type {typeof choices[0]} */ { later }) => later.every((name) => Object.hasOwn(kept, name))
  const hasLater = choices.some(({ later }) => later.length > 0)
  let pick = pickerOf(choices, choices.map(({ weight }) => weight))
  let known = -1
  return {
    next: () => {
      const count = hasLater ? Object.keys(kept).length : 0
      if (hasLater && count !== known) {
        known = count
        const open = choices.filter(canBeSent)
        pick = pickerOf(open, open.map(({ weight }) => weight))
      }
      return make(pick(random))
    },
    nth: (index) => canBeSent(choices[index]) ? make(choices[index]) : null
  }
}

/** @param {LoadRequest} request */
function isFixed (request) {
  return !/\{[A-Za-z_]\w*\}/.test(JSON.stringify([request.path, request.headers, request.body]))
}

/**
 * @param {LoadRequest} request
 * @param {{ drawn: Kept, kept: Kept, keptByLoad: string[] }} values
 * @returns {ConcreteRequest}
 */
function concrete (request, { drawn, kept, keptByLoad }) {
  const ofLoad = Object.fromEntries(Object.entries(kept).filter(([name]) => keptByLoad.includes(name)))
  const filled = fill(request, { ...drawn, ...kept })
  const key = JSON.stringify(fill(request, { ...drawn, ...ofLoad }))
  return { ...filled, key, safe: isSafe(request), request, inputs: drawn }
}

/** @param {Input} input @returns {(random: Random) => string | number} */
function drawerOf (input) {
  if (Array.isArray(input)) return (random) => random.pick(input)
  if ('weights' in input) return pickerOf(Object.keys(input.weights), Object.values(input.weights))
  return (random) => random.int(input.from, input.to)
}

/** @template T @param {T[]} items @param {number[]} weights @returns {(random: Random) => T} */
function pickerOf (items, weights) {
  let sum = 0
  const ends = weights.map((weight) => (sum += weight))
  return (random) => {
    const at = random.next() * sum
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (at < ends[middle]) high = middle
      else low = middle + 1
    }
    return items[low]
  }
}
