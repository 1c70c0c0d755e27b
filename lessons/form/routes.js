/**
 * The names of routes. Pure.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Case, ParsedRoute, Route, Values } from './types.js'
 */

const shape = /^(GET|POST|PUT|PATCH|DELETE) (\/[^?\s]*)(?:\?((?:&?\w+=\w*)+))?$/

/**
 * @param {Record<string, Route>} table
 * @returns {ParsedRoute[]} each before its cases that have a `draw`; those with a `value` are its `ways`
 * @throws {Error} a name that is no route
 */
export function parseRoutes (table) {
  return Object.entries(table).flatMap(([name, { cases: all = {}, ...route }]) => {
    const entries = Object.entries(all)
    const [ways, cases] = [entries.filter(isWay), entries.filter((one) => !isWay(one))].map(Object.fromEntries)
    const parsed = { ...parseRoute(name, route), ways }
    const { row, method, isRead, hasParameter, url, headers, meaning, always, body, underLoad, sendsBody } = parsed
    const usual = { row, method, isRead, hasParameter, url, headers, meaning, always, body, underLoad, sendsBody }
    return [parsed, ...Object.entries(byRule(cases)).map(([name, one]) => ({ ...usual, ...one, name }))]
  })
}

/** Is it asked by a value of the route's parameter? @param {[string, Case]} entry */
function isWay ([, one]) {
  return typeof one === 'object' && one.value !== undefined
}

/**
 * Operations or cases that are named by their rules; one that has nothing else is what it draws.
 *
 * @param {Record<string, any>} given
 * @returns {Record<string, any>}
 */
export function byRule (given) {
  return Object.fromEntries(Object.entries(given).map(([name, one]) => {
    const operation = { rule: name, ...typeof one === 'function' ? { draw: one } : one }
    return [name, { ...operation.touches && { effect: operation.rule }, ...operation }]
  }))
}

/** @param {string} name @param {Route} route @returns {ParsedRoute} */
function parseRoute (name, route) {
  const [, method, path, query] = shape.exec(name) ?? []
  if (method === undefined) {
    throw new Error(`routes["${name}"]: name it by method and path, as in "GET /movies/:id" or "GET /feed?since=N"`)
  }
  if (route.anyQuery && path.includes('/:')) {
    throw new Error(`routes["${name}"]: with anyQuery its value is the URL; leave out the parameter, or anyQuery`)
  }
  const nameOfOne = query?.includes('&') ? '' : query?.replace(/\w*$/, '')
  const { body = () => ({}) } = route
  return {
    underLoad: body,
    ...route,
    body,
    sendsBody: route.body !== undefined,
    name,
    row: name,
    method,
    isRead: method === 'GET',
    hasParameter: !route.anyQuery && (query !== undefined || path.includes('/:') || route.good !== undefined),
    url: (value = '') => {
      if (typeof value === 'object') return value.path ?? path
      if (route.anyQuery && value === '') return path
      return nameOfOne === undefined ? path.replace(/:\w+/, String(value)) : `${path}?${nameOfOne}${value}`
    }
  }
}

/** @param {Values} values @param {Random} random */
export function valuesOf (values, random) {
  return typeof values === 'function' ? values(random) : values
}

/** Routes that write, without their cases. @param {readonly ParsedRoute[]} routes */
export function writesOf (routes) {
  return routes.filter(({ isRead, name, row }) => !isRead && name === row)
}

/** Names of the operations that must show a write. @param {readonly ParsedRoute[]} routes */
export function shownBy (routes) {
  return routes.filter(({ is }) => is).flatMap(({ name, tagged }) => [name, ...tagged ? [ifChanged(name)] : []])
}

/** The operation that asks whether it has changed. @param {string} name of a route */
export function ifChanged (name) {
  return `${name}, if changed`
}

/**
 * The state after some writes.
 *
 * @param {readonly ParsedRoute[]} routes
 * @param {any} first
 * @param {readonly { name: string, sent: any }[]} writes in their order
 */
export function stateAfter (routes, first, writes) {
  return writes.reduce((state, { name, sent }) => {
    return routes.find((route) => route.name === name)?.then?.(state, sent) ?? state
  }, first)
}
