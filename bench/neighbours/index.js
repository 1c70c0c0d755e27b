import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Other programs on the same machine, of a known kind, as long as a benchmark wants them.
 *
 * @type {Record<string, { script: string, args: string[] }[]>}
 */
const kinds = {
  none: [],
  'a hog on one core': [{ script: 'hog.js', args: ['steady'] }],
  'hogs on two cores': [{ script: 'hog.js', args: ['steady'] }, { script: 'hog.js', args: ['steady'] }],
  'a hog in bursts': [{ script: 'hog.js', args: ['bursts'] }],
  'memory and disk': [{ script: 'memory-and-disk.js', args: [] }]
}

export const neighbourNames = Object.keys(kinds)

/**
 * @param {string} name one of `neighbourNames`
 * @returns {Promise<{ stop: () => Promise<void> }>} they end with this process, whatever happens to it
 */
export async function startNeighbour (name) {
  const children = kinds[name].map(({ script, args }) => fork(fileURLToPath(new URL(script, import.meta.url)), args))
  await Promise.all(children.map((child) => once(child, 'message')))
  return {
    stop: async () => {
      await Promise.all(children.map((child) => {
        const ended = once(child, 'exit')
        child.disconnect()
        return ended
      }))
    }
  }
}
