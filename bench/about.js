import { execFileSync } from 'node:child_process'
import os from 'node:os'

/** One line that every figure of a benchmark needs next to it: machine, Node.js, date, commit. */
export function aboutRun () {
  return `${os.cpus()[0].model.trim()}, ${os.availableParallelism()} cores, ${process.platform}, Node.js ` +
    `${process.version}, ${new Date().toISOString().slice(0, 10)}, commit ${commit()}`
}

function commit () {
  try {
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    const isClean = git('status', '--porcelain', '--', 'runner', 'bench') === ''
    return `${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : ' with changes'}`
  } catch {
    return 'unknown'
  }
}
