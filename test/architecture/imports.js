import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Import between two files of the engine and its products, values and types alike
 * @property {string} from relative to runner/ or classroom/; for a product, from its folder on: `compare/sides.js`
 * @property {string} to the same
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Folders of modules, and a module beside them. */
const homes = ['runner', 'classroom'].map((name) => path.join(root, name))
const products = ['compare']

/** Every import of the engine and its products, also those that a comment makes for a type. @returns {Import[]} */
export function readImports () {
  const folders = [...homes, ...products.map((name) => path.join(root, name))]
  return folders.flatMap(filesBelow).flatMap((file) => {
    const source = fs.readFileSync(file, 'utf8')
    // Imports, @import and import() of types, and files that are started as a process.
    const found = source.matchAll(/(?:\bfrom |\bimport |\bimport\(|new URL\()'(\.{1,2}\/[^']+\.js|[\w/-]+\.js)'/g)
    return [...found].map(([, to]) => ({ from: named(file), to: named(path.resolve(path.dirname(file), to)) }))
  })
}

/** The folder at the top of runner/ or classroom/, or the product; null at the top, in shared/. @param {string} file */
export function moduleOf (file) {
  const [module, ...rest] = file.split('/')
  return rest.length > 0 && module !== 'shared' ? module : null
}

/** The modules that there are. @returns {string[]} */
export function modules () {
  const folders = homes.flatMap((home) => fs.readdirSync(home, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
  return [...folders.map(({ name }) => name).filter((name) => name !== 'shared'), ...products]
}

/** @param {string} folder @returns {string[]} */
function filesBelow (folder) {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(folder, name))
}

/** @param {string} file */
function named (file) {
  const parts = path.relative(root, file).split(path.sep)
  return (['runner', 'classroom'].includes(parts[0]) ? parts.slice(1) : parts).join('/')
}
