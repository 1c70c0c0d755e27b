import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { workspaceRoot } from '../lesson/index.js'
import { workshopRoot } from '../workshop.js'
import { readJson, writeFileAtomic } from '../workspace/index.js'
import { ask, say } from './say.js'

/** @import { Given } from './say.js' */

/**
 * Before a lesson pack is used for the first time: its lessons are programs. The answer is kept next to the workshop's
 * own workspace, where a pack can't supply it.
 *
 * @param {string} dir as `--lessons` names it
 * @param {Pick<Given, 'env' | 'stdout' | 'signal'> & { isTrusted: boolean }} given isTrusted: `--trust` was given
 * @throws {WorkshopError} the user declines, or can't be asked
 */
export async function requireTrust (dir, { env, stdout, signal, isTrusted }) {
  const pack = await fs.realpath(dir).catch(() => null)
  if (pack === null || pack === await fs.realpath(workshopRoot)) return
  const packs = await trustedPacks(env)
  if (packs.includes(pack)) return
  if (!isTrusted && !await isWanted(pack, { stdout, signal })) {
    throw new WorkshopError(`Nothing of ${pack} was run: leave out --lessons to use the workshop’s own lessons.`)
  }
  await trustPack(pack, env)
}

/** Remembers a yes. @param {string} dir of a pack @param {NodeJS.ProcessEnv} env */
export async function trustPack (dir, env) {
  const packs = new Set([...await trustedPacks(env), await fs.realpath(dir)])
  await writeFileAtomic(fileOf(env), `${JSON.stringify({ version: 1, packs: [...packs] }, null, 2)}\n`)
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<string[]>} */
async function trustedPacks (env) {
  const { value } = await readJson(fileOf(env))
  return Array.isArray(value?.packs) ? value.packs : []
}

/** @param {NodeJS.ProcessEnv} env */
function fileOf (env) {
  return path.join(workspaceRoot(env, workshopRoot), 'trusted-packs.json')
}

/** @param {string} pack @param {Pick<Given, 'stdout' | 'signal'>} given */
async function isWanted (pack, { stdout, signal }) {
  const warning = `The lessons in ${pack} are programs. Commands run their lesson.js, slow servers and solutions ` +
    'with your rights: use them only if you trust who wrote them.'
  const unasked = `The lessons in ${pack} are programs that run with your rights, and you can’t be asked here: ` +
    '--trust says that you trust who wrote them.'
  if (process.stdin.isTTY) say(stdout, warning)
  return ask('Run them?', { stdout, signal, unasked })
}
