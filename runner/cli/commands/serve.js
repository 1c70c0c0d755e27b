import { WorkshopError } from '../../errors.js'
import { createRandom, newSeed } from '../../random.js'
import { openFaultControl, withOneServer } from '../../session/index.js'
import { portOf } from '../port.js'
import { say } from '../say.js'
import { findEntry } from './which.js'

/** @import { Given } from '../types.js' */

export const options = {
  server: { type: /** @type {const} */ ('string') },
  node: { type: /** @type {const} */ ('string'), multiple: /** @type {const} */ (true) },
  port: { type: /** @type {const} */ ('string') },
  seed: { type: /** @type {const} */ ('string') }
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
  if (entry.lesson.kind === 'load plan') {
    throw new WorkshopError(
      `Lesson ${entry.number} is about ${entry.file}, so there’s no server of yours to start: npm run bench ` +
        `lesson-${entry.number} shows what your load plan measures.`
    )
  }
  const port = portOf(values.port)
  const seed = values.seed ?? newSeed()
  return withOneServer(
    { entry, dir, seed, start: { nodeArgs: values.node, stdio: 'inherit', port }, signal },
    async ({ server, session: { data } }) => {
      const load = Object.values(entry.lesson.loads)[0]
      const example = load.stream({
        random: createRandom(seed),
        data,
        model: entry.lesson.model?.({ data })
      })()
      say(stdout, `Lesson ${entry.number}, ${which}, listens on ${server.origin}; its DATA_DIR is ` +
        `${server.dataDir}. Ctrl-C stops it.`)
      if ((example.method ?? 'GET') === 'GET') stdout.write(`Try: curl -i "${server.origin}${example.path}"\n`)
      else {
        stdout.write(
          `A request of its load: ${example.method} ${example.path} ` +
            `${example.json === undefined ? '' : JSON.stringify(example.json)}\n`
        )
      }
      const control = server.upstream && await openFaultControl(server.upstream)
      if (control) {
        say(stdout, `It calls the service at ${server.upstream?.url}. To make that go wrong, as a check does ` +
          '(an empty list ends it):')
        stdout.write(`  curl -d '[{"path":"/","status":500}]' ${control.url}\n`)
      }
      await Promise.race([
        server.exited,
        new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      ])
      control?.close()
      if (!signal.aborted) throw new WorkshopError(`The server ${server.howItEnded()}.`)
      return 0
    }
  )
}
