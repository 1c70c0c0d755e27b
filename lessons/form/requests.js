import { sayingJson } from './kinds.js'

/**
 * Requests, and the values that they were drawn with. Pure.
 *
 * @import { Asked } from '../../runner/contract/index.js'
 * @import { Random, Step } from '../../runner/lesson/index.js'
 * @import { ParsedRoute } from './types.js'
 */

const drawn = Symbol('drawn')

/**
 * Changes what a draw requests, even where that follows from earlier answers.
 *
 * @param {any} asked
 * @param {(plain: any) => any} change
 * @returns {Asked | null}
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
 * @param {any} given a value of its parameter, or a request
 * @returns {any}
 */
export function requestOf ({ method, isRead, url }, given) {
  const usual = isRead ? {} : { method }
  return typeof given === 'object' ? { ...usual, path: url(), ...given } : { ...usual, path: url(given) }
}

/**
 * A read.
 *
 * @param {ParsedRoute} route
 * @param {any} value of its parameter; an object can say more of the request: `path`, `method`, `headers`
 * @param {Record<string, string>} [headers]
 */
export function readOf ({ url }, value, headers = {}) {
  const method = value?.method
  return { [drawn]: value, path: url(value), headers: { ...headers, ...value?.headers }, ...method && { method } }
}

/**
 * A write in a sequence.
 *
 * @param {ParsedRoute} route
 * @param {any} sent
 * @param {Random} random
 */
export function writeOf ({ method, url, written = typed }, sent, random) {
  return { [drawn]: sent, method, path: url(), ...written(sent, random) }
}

/** @param {any} json @param {Random} random @returns {any} */
function typed (json, random) {
  return { json, headers: sayingJson(random) }
}

/**
 * What is asked, with what it was drawn with.
 *
 * @template {object} Plain
 * @param {any} value
 * @param {Plain} asked
 * @returns {Plain}
 */
export function drawnWith (value, asked) {
  return Object.assign(asked, { [drawn]: value })
}

/** What a request was drawn with: the value of a parameter, or what is sent. @param {Asked} asked @returns {any} */
export function valueOf (asked) {
  return /** @type {any} */ (asked)[drawn]
}

/**
 * The same of earlier steps, by the name of an operation, or of a route and all its ways.
 *
 * @param {(name: string) => Step[]} past
 * @param {readonly ParsedRoute[]} routes
 * @returns {(name: string) => any[]} the newest last
 */
export function askedBefore (past, routes) {
  return (name) => {
    const { ways = {} } = routes.find((route) => route.name === name) ?? {}
    return [name, ...Object.keys(ways)].flatMap(past).sort((a, b) => a.id - b.id).map(({ asked }) => valueOf(asked))
  }
}

/** What a step was asked with, unless that follows from earlier answers. @param {Step} step @returns {any} */
export function headersOf ({ asked }) {
  return 'headers' in asked ? asked.headers ?? {} : {}
}
