import { WorkshopError } from '../../errors.js'
import { newSeed } from '../../random.js'
import { portOf, say } from '../say.js'
import { findEntry } from './which.js'

/**
 * @import { StartOptions } from '../../process/index.js'
 * @import { Flag, Given } from '../say.js'
 */

/** @type {Record<string, Flag>} */
export const options = {
  server: { type: 'string' },
  node: { type: 'string', multiple: true },
  port: { type: 'string' },
  seed: { type: 'string' }
}

export const stays = true

export const usage = 'npm run serve lesson-N [slow|mine|solution] [-- --node=--inspect] [--port N]'

export const help = `Start one of a lesson's servers with this lesson's data, for curl, a browser or a profiler.
Ctrl-C stops it.

  slow | mine | solution   which server, default mine
  --server DIR             or any other folder with a server.js
  --node=FLAG              pass a flag to node, such as --node=--inspect; you can give it more than once
  --port N                 listen there, not on a free port
  --seed SEED              the data of an earlier run, as a check prints it`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env, signal }) {
  const { entry, dir, which } = await findEntry(positionals, { env, usage, server: values.server })
  if (entry.lesson.check !== undefined) {
    throw new WorkshopError(
      `Lesson ${entry.number} is about ${entry.file}, so there’s no server of yours to start: npm run bench ` +
        `lesson-${entry.number} shows what your ${entry.lesson.check.writes} measures.`
    )
  }
  const port = portOf(values.port)
  const seed = values.seed ?? newSeed()
  /** @type {StartOptions} */
  const start = { nodeArgs: values.node, stdio: 'inherit', port }
  const { serveOne } = await import('../../load/index.js')
  await serveOne({ entry, dir, seed, start, signal }, ({ origin, dataDir, example, upstream }) => {
    say(stdout, `Lesson ${entry.number}, ${which}, listens on ${origin}; its DATA_DIR is ${dataDir}. Ctrl-C stops it.`)
    const { method = 'GET', path, json } = example
    stdout.write(method === 'GET'
      ? `Try: curl -i "${origin}${path}"\n`
      : `A request of its load: ${method} ${path} ${json === undefined ? '' : JSON.stringify(json)}\n`)
    if (upstream === null) return
    say(stdout, `It calls the service at ${upstream.service}. To make that go wrong, as a check does ` +
      '(an empty list ends it):')
    stdout.write(`  curl -d '[{"path":"/","status":500}]' ${upstream.control}\n`)
  })
  return 0
}
