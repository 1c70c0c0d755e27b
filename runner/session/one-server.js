import { WorkshopError } from '../errors.js'
import { withSession } from './session.js'

/**
 * @import { Runnable } from './run-data.js'
 * @import { Server } from './server/handle.js'
 * @import { ServerFolder, StartOptions } from './servers.js'
 * @import { Session } from './session.js'
 */

/**
 * One of a lesson's servers, started with this lesson's data for as long as `use` takes.
 *
 * @template T
 * @param {object} options
 * @param {Runnable} options.entry
 * @param {string} options.dir the folder with server.js
 * @param {ServerFolder} [options.folder] instead: one that is ready to be run
 * @param {string} options.seed
 * @param {StartOptions} [options.start]
 * @param {AbortSignal} options.signal
 * @param {(given: { server: Server, session: Session }) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {WorkshopError} the server does not start
 */
export function withOneServer ({ entry, dir, folder, seed, start, signal }, use) {
  return withSession(entry, { seed, signal }, async (session) => {
    const { server, failure } = await session.start('yours', folder ?? session.openSubmission(dir), start)
    if (failure !== null) throw new WorkshopError(`The server didn’t start: ${failure}`)
    return use({ server, session })
  })
}
