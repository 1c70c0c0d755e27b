import fs from 'node:fs'
import path from 'node:path'
import { spec } from 'node:test/reporters'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLeftovers } from './leftovers.js'
import { makeFolder } from './temporary.js'

/**
 * Runs the tests file by file: `node test/run.js [part of a path …]`. Node 20 knows no globs for its test runner, and
 * the tests that start servers must not run at the same time. At the end nothing may be left behind.
 */

const here = path.dirname(fileURLToPath(import.meta.url))
const wanted = process.argv.slice(2)

const files = fs.readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => path.join('test', file).includes(path.normalize(part))))
  .sort()
  .map((file) => path.join(here, file))

if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(3)
}

// A temporary folder of our own: what is in it at the end was left behind by a test.
const { dir: temporary, remove: removeTemporary } = makeFolder('mif-tests-')
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = temporary

const stream = run({ files, concurrency: 1 })
stream.on('test:fail', () => { process.exitCode = 1 })
stream.compose(spec).pipe(process.stdout)
stream.on('end', () => {
  const left = findLeftovers()
  removeTemporary()
  if (left.length > 0) {
    process.exitCode = 1
    process.on('exit', () => console.error(`\nThe tests left something behind:\n${left.join('\n')}`))
  }
})
