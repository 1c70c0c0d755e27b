import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { newEvidence } from '../judge/index.js'
import { fingerprintOf, startingPointOf } from '../lesson/index.js'
import { dieWithParent, passedEnvironment, trimOutput } from '../process/index.js'
import { newSeed } from '../shared/random.js'
import { shownPath } from '../shared/text.js'
import { workshopRoot } from '../shared/workshop.js'
import { recordOf } from './record-of.js'

/**
 * What files say without being run: a submission that Node.js can't read, or that is still the starting point, and what
 * was changed of the workshop's own while a check ran.
 *
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 */

const mostFiles = 50
const timeoutMs = 10_000
/** So many files are read at the same time. */
const atOnce = 4
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
  const files = filesNamedBy(dir, entry.file)
  for (let at = 0; at < files.length; at += atOnce) {
    const some = files.slice(at, at + atOnce)
    const answers = await Promise.all(some.map((file) => whatNodeSays(file, signal)))
    const wrong = answers.findIndex((said) => said !== null)
    if (wrong === -1) continue
    const [file, said] = [some[wrong], String(answers[wrong])]
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
function filesNamedBy (dir, first) {
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

/**
 * Is what was graded still what every learner starts from, file by file? What can't be read is at least not the same.
 *
 * @param {LoadedLesson} entry
 * @param {string} dir
 */
export function isUnchanged (entry, dir) {
  try {
    return fingerprintOf(dir) === fingerprintOf(startingPointOf(entry))
  } catch {
    return false
  }
}

/**
 * Files of a submission that need no change: in the reference solution, too, they're as in the slow server.
 *
 * @param {Pick<LoadedLesson, 'slowDir' | 'solutionDir'>} entry
 * @param {string} dir of the submission
 * @returns {string[]} relative, with slashes; what can't be read isn't among them
 */
export function keptFiles ({ slowDir, solutionDir }, dir) {
  const isKept = (/** @type {string} */ name) => {
    try {
      const [first, ...others] = [solutionDir, slowDir, dir].map((folder) => fs.readFileSync(path.join(folder, name)))
      return others.every((other) => other.equals(first))
    } catch {
      return false
    }
  }
  return fs.readdirSync(slowDir, { recursive: true, encoding: 'utf8' })
    .filter(isKept)
    .map((name) => name.replaceAll('\\', '/'))
}

/**
 * Was the slow server itself written to, or a package that it may use? A server that knows where they are could make
 * the slow one slower.
 *
 * @param {LoadedLesson} entry
 * @param {number} sinceMs since 1970
 * @param {{ running: string, thorough: boolean }} options running: where the slow server ran, maybe a copy; thorough:
 *   the packages too, which are thousands of files
 * @returns {string | null} the file, relative to the workshop or pack
 */
export function firstChange (entry, sinceMs, { running, thorough }) {
  const packages = thorough ? [...new Set([workshopRoot, entry.root])].flatMap(packagesOf) : []
  // Around a copy lie the links to its packages.
  const folders = running === entry.slowDir ? [] : [path.resolve(running, '..', '..')]
  for (const folder of [entry.slowDir, ...folders, entry.dir, ...packages]) {
    const changed = changedSince(folder, sinceMs)
    if (changed !== null) return path.relative(entry.root, changed)
  }
  return null
}

/**
 * The folders of the packages that learners have too: those of the workshop's own development are tens of thousands of
 * files.
 *
 * @param {string} root
 */
function packagesOf (root) {
  try {
    const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'node_modules', '.package-lock.json'), 'utf8'))
    return Object.keys(packages)
      .filter((place) => !packages[place].dev && place.lastIndexOf('node_modules/') === 0)
      .map((place) => path.join(root, place))
      .filter((place) => fs.existsSync(place))
  } catch {
    // A pack needs no packages.
    return []
  }
}

/**
 * The first file that was written, replaced or removed since then. No program can set back the time that is read
 * (ctime), so once at the end is enough.
 *
 * @param {string} folder
 * @param {number} sinceMs
 * @returns {string | null} the file, or the folder from which one was removed
 */
export function changedSince (folder, sinceMs) {
  try {
    if (fs.lstatSync(folder).ctimeMs > sinceMs) return folder
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      // Caches of tools: no server reads them.
      if (entry.name.startsWith('.')) continue
      const place = path.join(folder, entry.name)
      const changed = entry.isDirectory()
        ? changedSince(place, sinceMs)
        : fs.lstatSync(place).ctimeMs > sinceMs
          ? place
          : null
      if (changed !== null) return changed
    }
    return null
  } catch {
    return folder
  }
}
