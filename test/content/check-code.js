import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { WorkshopError } from '../../runner/shared/errors.js'
import { makeTemporary } from '../../runner/process/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'

/** @import { Finding } from './rules.js' */

const folders = ['lessons', 'slow-servers', 'solutions', 'test']
/**
 * Lint and types of a lesson pack, by the workshop's rules.
 *
 * @param {string} root of the pack
 * @returns {Promise<Finding[]>}
 * @throws {WorkshopError} the workshop was installed without its development tools
 */
export async function checkCode (root) {
  const found = await Promise.all([lint(root), types(root)])
  return found.flat()
}

/** @param {string} root @returns {Promise<Finding[]>} */
async function lint (root) {
  const { ESLint } = await import('eslint').catch(tellTools)
  const config = path.join(workshopRoot, 'eslint.config.js')
  const eslint = new ESLint({ cwd: root, overrideConfigFile: config, errorOnUnmatchedPattern: false })
  const results = await eslint.lintFiles(folders.filter((folder) => fs.existsSync(path.join(root, folder))))
  return results.flatMap(({ filePath, messages }) => messages.map(({ line, message }) => (
    { place: `${path.relative(root, filePath).replaceAll('\\', '/')}:${line}`, what: message })))
}

/** @param {string} root @returns {Promise<Finding[]>} */
async function types (root) {
  const require = createRequire(import.meta.url)
  const compiler = await Promise.resolve().then(() => require.resolve('typescript/bin/tsc')).catch(tellTools)
  const { dir, remove } = await makeTemporary()
  try {
    const project = path.join(dir, 'tsconfig.json')
    fs.writeFileSync(project, JSON.stringify(projectOf(root)))
    const args = [compiler, '-p', project, '--pretty', 'false']
    return findingsOf(await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: root }, (_, stdout) => resolve(stdout))
    }))
  } finally {
    await remove()
  }
}

/** @param {string} root */
function projectOf (root) {
  const { compilerOptions } = readJson('tsconfig.json')
  const { name, exports } = readJson('package.json')
  const places = Object.entries(exports).map(([key, target]) => [`${name}${key.slice(1)}`, [inWorkshop(target)]])
  return {
    compilerOptions: {
      ...compilerOptions,
      types: ['node'],
      typeRoots: [inWorkshop('node_modules/@types')],
      paths: Object.fromEntries(places)
    },
    include: ['lessons/**/*.js', 'test/submissions/*/*.js'].map((pattern) => path.join(root, pattern))
  }
}

/** @param {string} file */
function inWorkshop (file) {
  return path.join(workshopRoot, file)
}

/** @param {string} file in the workshop */
function readJson (file) {
  return JSON.parse(fs.readFileSync(inWorkshop(file), 'utf8'))
}

/** Pure. @param {string} output of the compiler @returns {Finding[]} those of the pack's own files */
export function findingsOf (output) {
  return [...output.matchAll(/^(?!\.\.)([^\s(][^(]*)\((\d+),\d+\): error TS\d+: (.*)$/gm)]
    .map(([, file, line, what]) => ({ place: `${file.replaceAll('\\', '/')}:${line}`, what }))
}

/** @param {any} error @returns {never} */
function tellTools (error) {
  throw new WorkshopError('Lint and types need the workshop\'s development tools: run npm ci in it, without ' +
    '--omit=dev.', { cause: error })
}
