import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { newEvidence } from '../judge/index.js'
import { dieWithParent, passedEnvironment, trimOutput } from '../process/index.js'
import { newSeed } from '../random.js'
import { shownPath } from '../shown-path.js'
import { recordOf } from './record-of.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 */

const mostFiles = 50
const timeoutMs = 10_000
/**
 * A path in quotes, as imports, require, workers and URLs name a file next to the one that is read. Nothing in it may
 * go on over line ends: each of them begins a search.
 */
const named = /^(?![ \t]*(?:\/\/|\*)).*?(['"`])(\.{1,2}\/[^'"`\n]+)\1/gm

/**
 * A syntax error in what is about to be graded. It takes no measurement, so it is told without waiting for a
 * turn. Node.js itself reads the files, and runs nothing.
 *
 * @param {{ entry: LoadedLesson, dir: string, seed?: string, signal?: AbortSignal }} given dir: of the submission
 * @returns {Promise<ResultRecord | null>} a failed check; null where every file can be read
 */
export async function checkSyntax ({ entry, dir, seed = newSeed(), signal }) {
  const startedAt = new Date()
  for (const file of filesOf(dir, entry.file)) {
    const said = await whatNodeSays(file, signal)
    if (said === null) continue
    const [shownDir, folder] = [shownPath(path.resolve(dir)), fs.realpathSync(dir)]
    const line = /^.*:(\d+)$/m.exec(said)?.[1]
    const what = /^SyntaxError: (.*)$/m.exec(said)?.[1] ?? 'Node.js cannot read it'
    const name = path.relative(folder, file)
    return recordOf({ entry, submission: shownDir, seed, startedAt }, {
      decision: {
        verdict: 'fail',
        reason: `${name}${line === undefined ? '' : `:${line}`} has a syntax error: ${what}.`,
        next: 'Fix that line. Nothing was started or measured.'
      },
      evidence: newEvidence(),
      output: trimOutput(said, { dir: folder, shownDir })
    })
  }
  return null
}

/**
 * The file that is graded, and the files it names: a broken file that nothing names does no harm.
 *
 * @param {string} dir
 * @param {string} first
 * @returns {string[]} real paths
 */
function filesOf (dir, first) {
  /** @type {string[]} */
  const files = []
  try {
    const folder = fs.realpathSync(dir)
    const waiting = [path.join(folder, first)]
    for (let file = waiting.shift(); file !== undefined && files.length < mostFiles; file = waiting.shift()) {
      const isInside = !path.relative(folder, file).startsWith('..')
      if (!isInside || files.includes(file) || !fs.statSync(file, { throwIfNoEntry: false })?.isFile()) continue
      files.push(file)
      const home = path.dirname(file)
      for (const [, , name] of fs.readFileSync(file, 'utf8').matchAll(named)) {
        const plain = path.resolve(home, name)
        waiting.push(...(/\.[cm]?js$/.test(name) ? [plain] : [`${plain}.js`, path.join(plain, 'index.js')]))
      }
    }
  } catch {
    // What cannot be read is told by the check itself.
  }
  return files
}

/**
 * @param {string} file
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | null>} null where it can be read
 */
async function whatNodeSays (file, signal) {
  const said = await nodeCheck([file], { signal })
  if (said === null) return null
  // Whether it is an ES module can depend on more than this file, and on the version of Node.js.
  const input = fs.readFileSync(file, 'utf8')
  const kinds = ['--input-type=module', '--input-type=commonjs']
  const others = await Promise.all(kinds.map((kind) => nodeCheck([kind, '-'], { input, signal })))
  return others.includes(null) ? null : said
}

/**
 * @param {string[]} args
 * @param {{ input?: string, signal?: AbortSignal }} options
 * @returns {Promise<string | null>} what it said against the code; null where that has no syntax error
 */
function nodeCheck (args, { input, signal }) {
  const [command, all] = dieWithParent(process.execPath, ['--check', ...args])
  const options = { env: passedEnvironment(), timeout: timeoutMs, windowsHide: true, signal }
  return new Promise((resolve, reject) => {
    const child = execFile(command, all, options, (error, stdout, stderr) => {
      if (signal?.aborted) reject(signal.reason)
      else resolve(error && /^SyntaxError/m.test(stderr) ? stderr : null)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}
