import { readMemory } from '../../inside/index.js'

/**
 * @import { Evidence, Role } from '../../judge/index.js'
 * @import { Server } from '../../session/index.js'
 */

/**
 * What a server holds after a forced collection, in bytes.
 *
 * @param {Server} server
 * @param {Role} role
 * @param {Evidence} evidence learns of a server that does not tell
 * @returns {Promise<{ retained: number, footprint: number | null }>} footprint: null where the system does not tell
 */
export async function memoryOf (server, role, evidence) {
  const url = server.inspector()
  try {
    if (url === null) throw new Error('it didn’t say where its inspector is')
    const { heapBytes, externalBytes } = await readMemory(url)
    return { retained: heapBytes + externalBytes, footprint: await server.resident() }
  } catch (error) {
    const what = `its memory couldn’t be read (${error.message}): leave the inspector alone, which this lesson uses ` +
      'to look at the heap'
    if (role === 'baseline') evidence.baselineFailures.push(what)
    // A server that has ended is told of as such.
    else if (!server.hasExited()) evidence.problems.push(`Your server ran, but ${what}.`)
    return { retained: 0, footprint: null }
  }
}
