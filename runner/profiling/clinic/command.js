import path from 'node:path'
import { homeName } from './home-name.js'

/** @import { Through } from '../../process/index.js' */

/* */

const enterFolder = new URL('enter-folder.js', import.meta.url).href

/**
 * The command line that runs clinic. Pure.
 *
 * @param {object} given
 * @param {string} given.name of its tool
 * @param {string} given.bin clinic's own file
 * @param {string} given.execPath the Node.js that runs the server
 * @param {string} given.scratch an empty folder, for the files that clinic leaves behind
 * @param {string} given.dir the server's folder
 * @param {string[]} given.nodeArgs for the server
 * @param {string} given.searchPath PATH
 * @returns {Through}
 */
export function clinicCommand ({ name, bin, execPath, scratch, dir, nodeArgs, searchPath }) {
  // clinic accepts no other name.
  const node = /^node(\.exe)?$/.test(path.basename(execPath)) ? execPath : 'node'
  return {
    args: [
      bin,
      name,
      '--open=false',
      `--dest=${dataFolder(scratch)}`,
      '--',
      node,
      ...whereToWrite(name, scratch),
      `--import=${enterFolder}`,
      ...nodeArgs,
      path.join(dir, 'server.js')
    ],
    cwd: scratch,
    env: {
      [homeName]: JSON.stringify({ dir, others: othersFolder(scratch) }),
      // No question about telemetry, no update check, nothing kept in the home folder.
      NO_INSIGHT: '1',
      NO_UPDATE_NOTIFIER: '1',
      XDG_CONFIG_HOME: scratch,
      PATH: [path.dirname(execPath), searchPath].join(path.delimiter)
    }
  }
}

/** Where clinic writes its data and its page. @param {string} scratch */
export function dataFolder (scratch) {
  return path.join(scratch, 'data')
}

/** For output that isn't used. @param {string} scratch */
export function othersFolder (scratch) {
  return path.join(scratch, 'others')
}

/**
 * clinic looks for these files in its own working directory, and the server runs in another.
 *
 * @param {string} name @param {string} scratch @returns {string[]}
 */
function whereToWrite (name, scratch) {
  if (name === 'doctor' || name === 'bubbleprof') {
    // eslint-disable-next-line no-template-curly-in-string
    return [`--trace-event-file-pattern=${path.join(scratch, 'node_trace.${rotation}.log')}`]
  }
  // V8 reads % as the start of a placeholder.
  if (name === 'flame') return [`--logfile=${path.join(scratch.replaceAll('%', '%%'), '%p-v8.log')}`]
  return []
}
