import { WorkshopError } from '../errors.js'

/**
 * @param {number} status of HTTP
 * @param {string} sentence that names the way out
 * @returns {WorkshopError & { status: number }} to be thrown
 */
export function refuse (status, sentence) {
  return Object.assign(new WorkshopError(sentence), { status })
}
