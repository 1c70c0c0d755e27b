import { refuse } from '../http/index.js'

/**
 * A change that the store can't keep is refused, and the room goes on.
 *
 * @template T
 * @param {() => T} act
 * @returns {T}
 * @throws {import('../errors.js').WorkshopError} with a status: why it wasn't kept
 */
export function keep (act) {
  try {
    return act()
  } catch (error) {
    if (typeof error.code !== 'string' || !error.code.startsWith('SQLITE_')) throw error
    const isFull = error.code === 'SQLITE_FULL'
    const why = isFull ? 'its disk is full, or it has 1 GB already' : `its disk reports ${error.code}`
    throw refuse(507, `The room couldn’t keep this, because ${why}: send it again once there is space.`)
  }
}
