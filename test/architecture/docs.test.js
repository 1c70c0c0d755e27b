import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { modules } from './imports.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('every file and folder of the engine, its tests and measurements that the docs name is there', () => {
  const docs = ['docs', '.'].flatMap((folder) => fs.readdirSync(path.join(root, folder), { recursive: folder !== '.' })
    .map((name) => path.join(folder, String(name))).filter((file) => file.endsWith('.md')))
  const named = docs.flatMap((file) => namedIn(fs.readFileSync(path.join(root, file), 'utf8'))
    .map((place) => ({ file, place: isOfEngine(file) ? withRunner(place) : place })))
    .filter(({ place }) => /^(runner|test|bench)\//.test(place) && !place.includes('NN-'))
  assert.ok(named.length > 100, `${named.length} places`)
  assert.deepEqual(named.filter(({ place }) => !fs.existsSync(path.join(root, place))), [])
})

/** @param {string} text @returns {string[]} */
function namedIn (text) {
  return [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)].map(([, place]) => place)
}

/** @param {string} file */
function isOfEngine (file) {
  return ['architecture.md', 'engine-glossary.md'].includes(path.basename(file))
}

/** `judge/record.js` is runner/judge/record.js. @param {string} place */
function withRunner (place) {
  return modules().includes(place.split('/')[0]) ? `runner/${place}` : place
}
