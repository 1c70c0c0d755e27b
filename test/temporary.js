import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * A folder for one test, removed when that is over.
 *
 * @param {{ after: (act: () => void) => void }} t of node:test
 * @param {string} [prefix]
 * @returns {string} its real path
 */
export function temporaryFolder (t, prefix) {
  const { dir, remove } = makeFolder(prefix)
  t.after(remove)
  return dir
}

/** @param {string} [prefix] @returns {{ dir: string, remove: () => void }} dir: its real path */
export function makeFolder (prefix = 'mif-test-') {
  const parent = fs.realpathSync(os.tmpdir())
  const dir = fs.mkdtempSync(path.join(parent, prefix))
  return { dir, remove: () => removeFolder(dir, parent) }
}

/**
 * Removes a folder with what is in it, if it lies in the temporary folder: no test makes one anywhere else.
 *
 * @param {string} dir a real path
 * @param {string} [parent]
 */
export function removeFolder (dir, parent = fs.realpathSync(os.tmpdir())) {
  const inside = path.relative(parent, dir)
  assert.ok(inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside), `${dir} is not in ${parent}`)
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
