import fs from 'node:fs'
import path from 'node:path'
import { calibratedEntry, filesOf, writeCalibrated } from './calibrated/pair.js'

/** The same amount of work for all of them. */
const sizes = filesOf(calibratedEntry())

/**
 * A server of the self-test that finds its size next to it, for a comparison.
 *
 * @param {string} scratch
 * @param {string} name
 * @param {number} ratio how many times as fast as the original
 * @returns {import('../../compare/index.js').Side & { dir: () => string }}
 */
export function writeSide (scratch, name, ratio) {
  const dir = writeCalibrated(path.join(scratch, name), ratio)
  for (const [file, text] of Object.entries(sizes)) fs.writeFileSync(path.join(dir, file), text)
  fs.writeFileSync(path.join(dir, 'start.js'), 'process.env.DATA_DIR = process.cwd()\nawait import(\'./server.js\')\n')
  return { name, dir: () => dir, start: 'node start.js' }
}
