import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../errors.js'
import { openSubmission } from '../server/index.js'
import { startUpstream } from '../upstream/index.js'
import { createCrew } from './crew.js'
import { prepareRun } from './prepare.js'

/**
 * One of a lesson's servers, started with this lesson's data for as long as `use` takes. Everything is stopped and
 * removed afterwards.
 *
 * @template T
 * @param {object} options
 * @param {import('../catalogue/load.js').LoadedLesson} options.entry
 * @param {string} options.dir the folder with server.js
 * @param {string} options.seed
 * @param {import('./crew.js').StartOptions} [options.start]
 * @param {AbortSignal} options.signal
 * @param {(given: { server: import('../server/start.js').Server, known: any, guard: import('../guard/index.js').Guard }) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {WorkshopError} the server does not start
 */
export async function withOneServer ({ entry, dir, seed, start, signal }, use) {
  const { lesson } = entry
  const prepared = await prepareRun(lesson, seed)
  /** @type {import('../upstream/index.js').UpstreamProcess | null} */
  let upstream = null
  const crew = createCrew({ prepared, upstream: () => upstream, signal })
  try {
    const place = openSubmission(dir, { root: entry.root, scratch: prepared.scratch })
    if (lesson.upstream) upstream = await startUpstream({ module: pathToFileURL(path.join(entry.dir, 'lesson.js')).href, known: prepared.known, seed, guard: prepared.guard, signal })
    const { server, failure } = await crew.start('yours', place, start)
    if (failure !== null) throw new WorkshopError(`The server did not start: ${failure}`)
    return await use({ server, known: prepared.known, guard: prepared.guard })
  } finally {
    await crew.stopAll()
    await upstream?.close()
    await prepared.clean()
  }
}
