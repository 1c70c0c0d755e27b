import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { WorkshopError } from '../../errors.js'

/**
 * Two states of one repository.
 *
 * @import { Side } from './side.js'
 */

const run = promisify(execFile)
const mostBytes = 64 * 1024 * 1024

/**
 * @param {readonly string[]} refs what git calls the two; `.`: the folder as it is
 * @param {string} cwd in the repository; where it is a folder of it, that folder is what is started
 * @returns {Promise<{ sides: [Side, Side], notes: string[] }>} notes: what to know about them, as sentences
 * @throws {WorkshopError} there is no repository, or no such ref
 */
export async function openRepository (refs, cwd) {
  const git = (/** @type {string[]} */ ...args) => gitIn(cwd, args)
  const root = path.resolve(await git('rev-parse', '--show-toplevel').catch(() => {
    throw new WorkshopError(`${cwd} is in no Git repository: run it in one, or name two folders.`)
  }))
  const inside = path.relative(root, fs.realpathSync(cwd))
  const commits = await Promise.all(refs.map((ref) => ref === '.' ? null : commitOf(git, ref)))
  const [before, after] = commits.map((commit, i) => sideOf({ name: refs[i], commit, root, inside }))
  return { sides: [before, after], notes: await notesOf(git, commits) }
}

/** @param {string} cwd @param {string[]} args @param {Record<string, string>} [env] */
async function gitIn (cwd, args, env = {}) {
  const { stdout } = await run('git', args, { cwd, env: { ...process.env, ...env }, maxBuffer: mostBytes })
  return stdout.trim()
}

/** @param {(...args: string[]) => Promise<string>} git @param {string} ref */
async function commitOf (git, ref) {
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(() => {
    throw new WorkshopError(`There is no commit “${ref}” here: \`git log\` and \`git branch -a\` show what there is` +
      '; a clone in CI may be shallow, so fetch it first.')
  })
}

/** @param {{ name: string, commit: string | null, root: string, inside: string }} given @returns {Side} */
function sideOf ({ name, commit, root, inside }) {
  if (commit === null) return { name: 'the working tree', dir: () => path.join(root, inside) }
  return {
    name,
    dir: async (scratch) => {
      const tree = fs.mkdtempSync(path.join(scratch, 'tree-'))
      await writeTree({ root, commit, tree, index: path.join(scratch, `index-${path.basename(tree)}`) })
      const dir = path.join(tree, inside)
      if (!fs.existsSync(dir)) throw new WorkshopError(`${name} has no folder ${inside}: start the command elsewhere.`)
      for (const place of new Set(['', inside])) linkPackages(path.join(root, place), path.join(tree, place))
      return dir
    }
  }
}

/**
 * The files of a commit, through a separate index: the repository itself isn't touched, so nothing can be left
 * behind in it, as `git worktree` would when it is killed.
 *
 * @param {{ root: string, commit: string, tree: string, index: string }} given
 */
async function writeTree ({ root, commit, tree, index }) {
  const env = { GIT_INDEX_FILE: index }
  await gitIn(root, ['read-tree', commit], env)
  await gitIn(root, ['checkout-index', '--all', '--force', `--prefix=${tree}/`], env)
}

/** @param {string} from @param {string} to */
function linkPackages (from, to) {
  const [own, link] = [from, to].map((dir) => path.join(dir, 'node_modules'))
  if (fs.existsSync(own) && !fs.existsSync(link)) fs.symlinkSync(fs.realpathSync(own), link, 'junction')
}

/** @param {(...args: string[]) => Promise<string>} git @param {(string | null)[]} commits */
async function notesOf (git, commits) {
  const [before, after] = commits
  const changed = (await git('status', '--porcelain', '--untracked-files=no')).split('\n').filter(Boolean).length
  const range = [before ?? 'HEAD', ...after === null ? [] : [after]]
  const locks = await git('diff', '--name-only', ...range, '--', '*package-lock.json', '*yarn.lock', '*pnpm-lock.yaml')
  return [
    ...changed > 0 && !commits.includes(null)
      ? [`Your uncommitted changes (${changed} ${changed === 1 ? 'file' : 'files'}) are in neither: \`.\` instead of ` +
          'a ref names the folder as it is.']
      : [],
    ...locks === ''
      ? []
      : [`${locks.split('\n')[0]} differs between the two, and both run with the packages installed now: to compare ` +
          'packages, name two folders, each with its own.']
  ]
}
