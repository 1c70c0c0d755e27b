/**
 * What a comparison sends. Plain data, all but a `before` that is a function.
 *
 * @import { Answer } from '../../contract/index.js'
 *
 * @typedef {object} LoadRequest
 * @property {string} [method] default GET
 * @property {string} path may have placeholders, as `/movies/{id}`: for inputs, and for values of earlier answers
 * @property {Record<string, string>} [headers] may have placeholders
 * @property {unknown} [body] a string is sent as it is, anything else as JSON; may have placeholders
 * @property {number} [weight] how often it is sent, compared with the others; default 1
 * @property {boolean} [safe] changes nothing on the server (RFC 9110, 9.2.1); default: by its method
 * @property {Record<string, string>} [keep] values of its answer for later requests: `{ "token": "body.token" }`
 *
 * @typedef {(string | number)[] | { from: number, to: number } | { weights: Record<string, number> }} Input what is
 *   drawn for a placeholder: one of a list, a whole number, or one of several by their weights
 *
 * @typedef {object} BeforeGiven
 * @property {string} origin of the server, `http://127.0.0.1:PORT`
 * @property {(request: LoadRequest) => Promise<Answer>} send
 *
 * @typedef {Record<string, string | number>} Kept values of earlier answers of one server, by name
 *
 * @typedef {object} Load
 * @property {LoadRequest[]} requests
 * @property {Record<string, Input>} [inputs]
 * @property {number} [connections] of a closed loop
 * @property {number} [rate] requests/s of an open loop
 * @property {LoadRequest[] | ((given: BeforeGiven) => Promise<Kept | void>)} [before] prepares each server that is
 *   started
 * @property {string[]} [ignore] what answers may differ in: names of keys and headers, places such as `items.ts`, or
 *   a path, whose bodies are not compared
 */

/** Methods that change nothing (RFC 9110, 9.2.1). */
export const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** @param {Pick<LoadRequest, 'method' | 'safe'>} request */
export function isSafe ({ method = 'GET', safe = safeMethods.includes(method) }) {
  return safe
}

/** @param {readonly string[]} paths @returns {Load} each as often as the others */
export function loadOfPaths (paths) {
  return { requests: paths.map((path) => ({ path })) }
}
