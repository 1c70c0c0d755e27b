import { WorkshopError } from '../../errors.js'

/**
 * @import { Answer } from '../../contract/index.js'
 * @import { Kept } from '../load-file/load.js'
 */

/**
 * Values of an answer for later requests. Pure.
 *
 * @param {Answer} answer
 * @param {Record<string, string>} keep places in it by name: `body.user.token`, `headers.location`, `cookies.session`
 * @returns {Kept}
 * @throws {WorkshopError} it has no such value
 */
export function keepFrom (answer, keep) {
  return Object.fromEntries(Object.entries(keep).map(([name, place]) => {
    const value = valueAt(answer, place)
    const isValue = typeof value === 'number' || (typeof value === 'string' && !/[\r\n]/.test(value))
    if (isValue) return [name, value]
    throw new WorkshopError(`has no line of text or number at ${place}, which \`keep\` calls ${name}`)
  }))
}

/** @param {Answer} answer @param {string} place @returns {unknown} */
function valueAt (answer, place) {
  const [part, ...keys] = place.split(/[.[\]]+/).filter((key) => key !== '')
  if (part === 'headers') return answer.headers[keys.join('.').toLowerCase()]
  if (part === 'cookies') return answer.cookies.find(({ name }) => name === keys.join('.'))?.value
  try {
    return keys.reduce((value, key) => Object.hasOwn(value, key) ? value[key] : undefined, answer.json())
  } catch {
    return undefined
  }
}
