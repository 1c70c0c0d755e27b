import { theilSenSlope } from './statistics.js'

/** Fewer readings than this have no slope worth naming. */
const leastReadings = 3

/**
 * Bytes that one request leaves behind, from readings after equal batches of requests: the slope over the batches,
 * without the first, after which much is allocated once and for all. Pure.
 *
 * @param {readonly (number | null)[]} readings bytes; null where unknown
 * @param {number} [batchSize] requests in a batch
 * @returns {number | null} 0 where it does not grow; null where the readings say nothing
 */
export function growthOf (readings, batchSize) {
  const known = readings.slice(1).filter((bytes) => bytes !== null)
  if (batchSize === undefined || known.length < leastReadings || known.length < readings.length - 1) return null
  return Math.max(0, theilSenSlope(known) / batchSize)
}
