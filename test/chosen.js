import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Which cases of a long file run (`*.long.test.js`). `npm test` takes a few, which hang on nothing but the files that
 * are tested: the same commit has the same ones. `--whole` takes all of them, `--shard 1/4` a quarter of those, and
 * `--only TEXT` those with that in their title.
 *
 * @typedef {object} Choice
 * @property {boolean} whole
 * @property {string} shard `1/4`
 * @property {string | undefined} only
 * @property {string} seed
 * @property {(title: string) => boolean} isChanged has the last commit changed what it tries?
 */

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({
  // A file of tests may be run by other means, which have arguments of their own.
  strict: false,
  options: { whole: { type: 'boolean' }, shard: { type: 'string' }, only: { type: 'string' } }
})
const shard = String(values.shard ?? '1/1')

export const isWhole = values.whole === true
/** What random numbers of the tests begin with. */
export const seed = seedOf(root)
const lessons = changedLessons()

/**
 * @template T
 * @param {readonly T[]} cases
 * @param {(one: T) => string} titleOf
 * @param {number} few how many of them without `--whole`
 * @returns {T[]}
 */
export function chosen (cases, titleOf, few) {
  const isChanged = (/** @type {string} */ title) => lessons.some((lesson) => title.includes(lesson))
  const only = /** @type {string | undefined} */ (values.only)
  return choose(cases, titleOf, few, { whole: isWhole, shard, only, seed, isChanged })
}

/** How often something is tried that is tried at random. @param {number} few without `--whole` @param {number} all */
export function times (few, all) {
  return isWhole ? Math.ceil(all / readShard(shard).of) : few
}

/**
 * Pure.
 *
 * @template T
 * @param {readonly T[]} cases
 * @param {(one: T) => string} titleOf
 * @param {number} few
 * @param {Choice} choice
 * @returns {T[]} in their order
 */
export function choose (cases, titleOf, few, { whole, shard, only, seed, isChanged }) {
  if (only !== undefined) return cases.filter((one) => titleOf(one).includes(only))
  if (whole) return ofShard(cases, shard)
  const rank = (/** @type {T} */ one) => (isChanged(titleOf(one)) ? '0' : '1') + hashOf(`${seed}/${titleOf(one)}`)
  const first = [...cases].sort((a, b) => rank(a) < rank(b) ? -1 : 1).slice(0, few)
  return cases.filter((one) => first.includes(one))
}

/**
 * Pure.
 *
 * @template T
 * @param {readonly T[]} cases
 * @param {string} shard
 * @returns {T[]} every so many-th
 */
export function ofShard (cases, shard) {
  const { number, of } = readShard(shard)
  return cases.filter((_, at) => at % of === number - 1)
}

/**
 * The contents of what is tested, as a hash. Not asked of git: a tarball has the same.
 *
 * @param {string} root
 * @returns {string}
 */
export function seedOf (root) {
  const hash = createHash('sha256')
  for (const folder of ['lessons', 'runner', 'slow-servers', 'solutions', 'test']) {
    const files = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    for (const file of files.map((name) => path.join(folder, name)).sort()) {
      if (fs.statSync(path.join(root, file)).isFile()) {
        hash.update(`${file.split(path.sep).join('/')} ${hashOf(fs.readFileSync(path.join(root, file)))}\n`)
      }
    }
  }
  return hash.digest('hex')
}

/** Folders of lessons that the last commit changed: none where git does not know. @returns {string[]} */
function changedLessons () {
  try {
    const names = execFileSync('git', ['diff', '--name-only', 'HEAD~1'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    return [...new Set(names.match(/(?<=^|\/)\d\d-[\w-]+(?=\/)/gm))]
  } catch {
    return []
  }
}

/** @param {string} shard @throws {Error} */
function readShard (shard) {
  const [number, of] = /^\d+\/\d+$/.test(shard) ? shard.split('/').map(Number) : []
  if (!(number >= 1 && number <= of)) throw new Error(`--shard is ${shard}, and not like 1/4.`)
  return { number, of }
}

/** @param {string | Buffer} text */
function hashOf (text) {
  return createHash('sha256').update(text).digest('hex')
}
