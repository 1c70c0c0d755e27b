import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Import between two files of runner/, values and types alike
 * @property {string} from relative to runner/, with slashes
 * @property {string} to the same
 */

const runner = fileURLToPath(new URL('../../runner/', import.meta.url))

/** Every import of every file of runner/, also those that a comment makes for a type. @returns {Import[]} */
export function readImports () {
  return filesBelow(runner).flatMap((file) => {
    const source = fs.readFileSync(file, 'utf8')
    // Imports, @import and import() of types, and files that are started as a process.
    const found = source.matchAll(/(?:\bfrom |\bimport |\bimport\(|new URL\()'(\.{1,2}\/[^']+\.js|[\w/-]+\.js)'/g)
    return [...found].map(([, to]) => ({ from: named(file), to: named(path.resolve(path.dirname(file), to)) }))
  })
}

/** The folder at the top of runner/ in which a file lies; null for a file at the top. @param {string} file */
export function moduleOf (file) {
  const [module, ...rest] = file.split('/')
  return rest.length > 0 ? module : null
}

/** The modules that there are. @returns {string[]} */
export function modules () {
  return fs.readdirSync(runner, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** @param {string} folder @returns {string[]} */
function filesBelow (folder) {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(folder, name))
}

/** @param {string} file */
function named (file) {
  return path.relative(runner, file).split(path.sep).join('/')
}
