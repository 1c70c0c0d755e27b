import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of a server that doesn't exist. */
export const dir = path.resolve('a server')

/** @param {string} file */
export const inServer = (file) => pathToFileURL(path.join(dir, file)).href

/**
 * A profile as V8 gives it: one sample a millisecond, in the order of the stacks.
 *
 * @param {{ stack: [name: string, url: string, line?: number][], ms: number }[]} stacks from the outermost function
 */
export function rawProfile (stacks) {
  /** @type {any[]} */
  const nodes = [
    {
      id: 1,
      callFrame: { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 },
      children: []
    }
  ]
  const samples = []
  for (const { stack, ms } of stacks) {
    let node = nodes[0]
    for (const [functionName, url, line = 1] of stack) {
      let child = nodes.find(
        ({ id, callFrame }) =>
          node.children.includes(id) && callFrame.functionName === functionName && callFrame.url === url &&
          callFrame.lineNumber === line - 1
      )
      if (!child) {
        child = {
          id: nodes.length + 1,
          callFrame: { functionName, scriptId: '1', url, lineNumber: line - 1, columnNumber: 9 },
          children: []
        }
        nodes.push(child)
        node.children.push(child.id)
      }
      node = child
    }
    for (let i = 0; i < ms; i++) samples.push(node.id)
  }
  return { nodes, samples, timeDeltas: [0, ...samples.map(() => 1000)], startTime: 0, endTime: samples.length * 1000 }
}
