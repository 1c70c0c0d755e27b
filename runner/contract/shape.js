import { isObject, shortJson } from '../rules.js'

/**
 * What a value should look like: a type's name, a pattern, a test, a list of one shape, an object of shapes.
 *
 * @typedef {'string' | 'number' | 'boolean' | 'any' | RegExp | ((value: any) => boolean) | [any] | { [key: string]: any
 *   }} Shape
 */

/**
 * How a value misses a shape, as a sentence; undefined when it fits.
 *
 * @param {any} value
 * @param {Shape} shape
 * @param {{ extra?: boolean }} [options] extra: objects may have more keys
 * @param {string} [place] where in the body
 * @returns {string | undefined}
 */
export function shapeError (value, shape, options = {}, place = 'the body') {
  if (shape === 'any') return value === undefined ? `${place} is missing` : undefined
  if (typeof shape === 'string') {
    // eslint-disable-next-line valid-typeof
    return typeof value === shape ? undefined : `${place} should be a ${shape}, got ${shortJson(value)}`
  }
  if (shape instanceof RegExp) {
    return typeof value === 'string' && shape.test(value)
      ? undefined
      : `${place} should fit ${shape}, got ${shortJson(value)}`
  }
  if (typeof shape === 'function') {
    return shape(value) ? undefined : `${place} is not as it should be: ${shortJson(value)}`
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${place} should be a list, got ${shortJson(value)}`
    return firstShapeError(value.map((item, i) => () => shapeError(item, shape[0], options, `${place}[${i}]`)))
  }
  if (!isObject(value)) return `${place} should be an object, got ${shortJson(value)}`
  const missing = Object.keys(shape).find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `${place} has no ${missing}`
  const surplus = Object.keys(value).find((key) => !Object.hasOwn(shape, key))
  if (surplus !== undefined && !options.extra) return `${place} has ${surplus}, which should not be there`
  return firstShapeError(
    Object.keys(shape).map(
      (key) => () => shapeError(value[key], shape[key], options, place === 'the body' ? key : `${place}.${key}`)
    )
  )
}

/** @param {(() => string | undefined)[]} tests */
function firstShapeError (tests) {
  for (const test of tests) {
    const wrong = test()
    if (wrong) return wrong
  }
}
