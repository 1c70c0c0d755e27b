import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRandom } from '../catalogue/index.js'
import { WorkshopError } from '../errors.js'
import { problemsOfProfile, readProfile, startSender, unitOf } from '../load-profile/index.js'
import { openSubmission } from '../server/index.js'
import { createCrew } from './crew.js'
import { prepareRun } from './prepare.js'

/**
 * Tries a load profile by hand: once, on the faster and on the slower server, without a verdict.
 *
 * @param {object} options
 * @param {import('../catalogue/load.js').LoadedLesson} options.entry
 * @param {string} options.dir the folder with load.js
 * @param {string} options.seed
 * @param {number} options.longestMs no run takes longer
 * @param {AbortSignal} options.signal
 * @returns {Promise<import('../load-profile/sender.js').Comparison & { unit: string, cut: boolean }>} cut: a run would have taken
 *   longer
 * @throws {WorkshopError} load.js is no profile
 */
export async function tryProfile ({ entry, dir, seed, longestMs, signal }) {
  const { lesson, root, file, slowDir } = entry
  const task = /** @type {import('../catalogue/lesson.js').ProfileTask} */ (lesson.profile)
  const prepared = await prepareRun(lesson, seed)
  const { guard } = prepared
  const crew = createCrew({ prepared, signal })
  /** @type {import('../load-profile/sender.js').Sender | undefined} */
  let sender
  try {
    const place = openSubmission(dir, { root, scratch: prepared.scratch, file })
    const { profile, problem } = await readProfile(path.join(place.dir, file), { guard, signal })
    const problems = problem === null ? problemsOfProfile(profile) : [problem]
    if (problems.length > 0) throw new WorkshopError(problems.join('\n'))
    const random = createRandom(seed)
    const started = await Promise.all([1, task.slowness].map((slowness) =>
      crew.start('baseline', { dir: slowDir, shownDir: path.relative(root, slowDir) }, { files: task.files({ random: random.fork('files'), slowness }) })))
    const ports = started.map(({ server, failure }) => {
      if (failure !== null) throw new WorkshopError(`The server did not start: ${failure}`)
      return server.port
    })
    sender = await startSender({ module: pathToFileURL(path.join(entry.dir, 'lesson.js')).href, guard, signal })
    const durationMs = Math.min(profile.durationMs, longestMs)
    const comparison = await sender.compare({
      ports: [ports[0], ports[1]],
      profile: { ...profile, durationMs, warmUpMs: Math.min(profile.warmUpMs ?? 0, longestMs) },
      first: Array.from({ length: Math.min(profile.rounds ?? 1, Math.ceil(longestMs / durationMs)) }, () => /** @type {0 | 1} */ (random.int(0, 1)))
    })
    return { ...comparison, unit: unitOf(profile.figure), cut: durationMs < profile.durationMs }
  } finally {
    await crew.stopAll()
    await sender?.close()
    await prepared.clean()
  }
}
