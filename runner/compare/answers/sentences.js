import { curl } from '../../contract/index.js'
import { fill } from '../load-file/fill.js'

/**
 * @import { AnswerDifference } from './compare-answers.js'
 * @import { ConcreteRequest } from '../load-file/stream.js'
 */

/** Headers whose values are nobody else's business. */
const secret = /auth|cookie|token|secret|key|session/i

/**
 * @param {ConcreteRequest} request
 * @param {AnswerDifference} difference
 * @returns {string[]} a sentence, and the request for a shell, once for each server
 */
export function differs (request, difference) {
  const { before, after } = difference
  return [
    `The answers to ${labelOf(request)} differ in ${placeOf(difference)}: BEFORE sends ${before}, AFTER sends ` +
      `${after}.`,
    ...curlLines(request)
  ]
}

/**
 * @param {ConcreteRequest} request
 * @param {AnswerDifference} difference between two answers of the original
 * @returns {string[]}
 */
export function varies (request, difference) {
  const { what, path, before, after } = difference
  const key = path.split(/[.[\]]+/).filter((part) => !/^\d*$/.test(part)).pop()
  const way = what === 'status' || (what === 'body' && key === undefined)
    ? `Leave that request out of the load${what === 'body' ? `, or its body with --ignore ${pathOf(request)}` : ''}.`
    : `Leave it out with --ignore ${what === 'header' ? path : key}.`
  return [`BEFORE itself answers ${labelOf(request)} differently each time: ${placeOf(difference)} was ${before}, ` +
    `then ${after}. ${way}`]
}

/** @param {{ request: ConcreteRequest, status: number }} one of the requests, all of which are refused */
export function onlyErrors ({ request, status }) {
  return [`BEFORE answers every request with an error, ${labelOf(request)} with status ${status}: correct the load, ` +
    'or log in first with `before` in a load file.']
}

/** @param {AnswerDifference} difference @returns {string} `the body at items[3].price` */
export function placeOf ({ what, path }) {
  if (path === '') return `the ${what}`
  return what === 'header' ? `the header ${path}` : `the body at ${path}`
}

/** @param {ConcreteRequest} request */
function labelOf ({ method, path }) {
  return `${method} ${path.length > 60 ? `${path.slice(0, 57)}…` : path}`
}

/** @param {ConcreteRequest} request */
function pathOf ({ path }) {
  return path.split('?')[0]
}

/** Values of earlier answers, and secrets of the load file, aren't shown. @param {ConcreteRequest} request */
function curlLines ({ request, inputs }) {
  const { headers, ...rest } = fill(request, inputs)
  const shown = Object.fromEntries(Object.entries(headers)
    .map(([name, value]) => [name, secret.test(name) && !value.includes('{') ? '…' : value]))
  const line = curl({ ...rest, headers: shown })
  return ['BEFORE', 'AFTER'].map((name) => line.replace('127.0.0.1:PORT', () => `127.0.0.1:${name}`))
}
