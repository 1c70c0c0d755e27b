import {
  expectLinesAtTheEnd, expectLinesWhileAsked, expectLoadLogged, idOf, lookAtLog, newNumbers, numbered
} from '../shared/log-file.js'
import { changeAsked } from './requests.js'
import { derived } from './rules.js'

/**
 * What follows from `logged`: every request has an X-Request-Id, and its line in access.log.
 *
 * @import { Check, Load, Operation, Stream } from '../../runner/lesson/index.js'
 * @import { Numbers } from '../shared/log-file.js'
 * @import { DrawGiven, Logged } from './types.js'
 */

/**
 * @param {Record<string, Operation>} operations
 * @param {Logged} logged
 * @returns {Record<string, Operation>} the same with ids, and the one that looks at the log
 */
export function withLog (operations, { ids, path, half, isRight, ...more }) {
  const named = Object.entries(operations).map(([name, operation]) => [name, {
    ...operation,
    draw: (/** @type {DrawGiven} */ given) => {
      const name = ids(given.random)
      return changeAsked(operation.draw(given), (asked) => 'path' in asked ? name(asked) : asked)
    }
  }])
  const log = lookAtLog({
    keyOf: ({ request }) => idOf(request) ?? request.path,
    isOf: ({ id, url }, key) => id === key || url === key,
    ...more,
    rule: derived.logged,
    names: () => Object.keys(operations)
  })
  return { ...Object.fromEntries(named), log }
}

/** @param {Logged} logged @returns {Check[]} */
export function logChecks ({ path, half, isOrdered, isRight }) {
  const pathFor = (/** @type {any} */ { random, data }) => path({ random, data })
  return [
    {
      name: derived.loggedSoon,
      when: ['before'],
      run: (given) => expectLinesWhileAsked(given, { draw: () => pathFor(given), half })
    },
    {
      name: derived.loggedAtTheEnd,
      when: ['before'],
      apart: true,
      run: async (given) => {
        await Promise.all([half, null].map((half) => expectLinesAtTheEnd(given, { path: pathFor(given), half })))
      }
    },
    {
      name: derived.loggedLoad,
      when: ['after'],
      run: (given) => expectLoadLogged(given, { path: pathFor(given), isOrdered, isRight: isRight?.(given) })
    }
  ]
}

/** Numbers of the requests of one server's life. @type {WeakMap<object, Numbers>} */
const numbersOf = new WeakMap()

/** @param {Record<string, Load>} loads @returns {Record<string, Load>} whose requests have ids */
export function numberedLoads (loads) {
  return Object.fromEntries(Object.entries(loads).map(([name, load]) => [name, {
    ...load,
    stream: numberedStream(load.stream)
  }]))
}

/** @param {Stream} stream @returns {Stream} */
function numberedStream (stream) {
  return (given) => {
    const numbers = numbersOf.get(given.model) ?? newNumbers()
    numbersOf.set(given.model, numbers)
    const next = stream(given)
    return () => numbered(numbers, next())
  }
}
