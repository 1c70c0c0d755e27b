import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { markerNames, markerOf, newRunMarker, passedEnvironment, stopTree } from '../../process/index.js'

/** @import { Launch, Session } from '../../process/index.js' */

const patienceMs = 5000

/**
 * What a learner's load.js exports. It is foreign code, so it runs in a separate process, which is stopped with
 * everything that it has started.
 *
 * @param {string} file
 * @param {Session} session
 * @param {Launch} [launch] reads it in a sandbox
 * @returns {Promise<{ plan: any, problem: string | null }>} problem: why it cannot be read, one sentence
 */
export async function readPlan (file, { startHelper, guard, signal, scratch }, launch) {
  const ownMarker = newRunMarker()
  const helper = await startHelper({
    file: fileURLToPath(new URL('reader.js', import.meta.url)),
    name: 'The reader of load.js',
    env: { ...passedEnvironment(), [markerNames.run]: guard.runMarker, [markerNames.server]: ownMarker },
    through: launch && throughSandbox(launch, path.dirname(file), scratch)
  }, 'ready', {})
  const proof = { noted: helper.entry ? [helper.entry] : [], markers: [markerOf('server', ownMarker)] }
  const late = new AbortController()
  try {
    return whole(
      await Promise.race([
        helper.ask('read', { url: pathToFileURL(file).href }),
        sleep(patienceMs, null, { signal: late.signal }).then(() => ({
          plan: null,
          problem: `load.js was not read within ${patienceMs / 1000} s: what does it wait for? It should only export ` +
            'a load plan.'
        }))
      ])
    )
  } catch (error) {
    signal?.throwIfAborted()
    return { plan: null, problem: 'load.js ended the process that read it: it should only export a load plan.' }
  } finally {
    late.abort()
    await stopTree({ child: helper.child, proof, graceMs: 0 })
    await helper.close()
  }
}

/**
 * load.js can send messages in the reader's place.
 *
 * @param {any} answer
 * @returns {{ plan: any, problem: string | null }}
 */
function whole (answer) {
  const { plan = null, problem } = answer ?? {}
  if (problem === null || typeof problem === 'string') return { plan, problem }
  return { plan: null, problem: 'load.js tampers with the process that reads it: it should only export a load plan.' }
}

/**
 * The reader and what it imports are in the engine's folder, which holds no secrets.
 *
 * @param {Launch} launch
 * @param {string} dir of load.js
 * @param {string} scratch
 * @returns {(command: string, flags: readonly string[]) => [command: string, flags: string[]]}
 */
function throughSandbox (launch, dir, scratch) {
  const dataDir = path.join(scratch, 'reader', 'data')
  fs.mkdirSync(dataDir, { recursive: true })
  const reads = [fileURLToPath(new URL('../..', import.meta.url))]
  return (command, flags) => {
    const wrapped = launch.wrap({ command, args: [...flags], env: {} }, { dir, dataDir, reads })
    return [wrapped.command, wrapped.args]
  }
}
