import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { firstChange, watchChanges } from '../../runner/workspace/copy.js'
import { temporaryFolder } from '../temporary.js'

test('a save is told, once for a burst of them', async (t) => {
  const { dir, next, seen } = await watched(t)
  // Both before the next look, however slow the disk is.
  for (const text of ['// one', '// the second']) writeFileSync(path.join(dir, 'server.js'), text)
  assert.equal(await next(), 'server.js')
  await fs.mkdir(path.join(dir, 'lib'))
  await fs.writeFile(path.join(dir, 'lib', 'cache.js'), '// one')
  assert.equal(await next(), path.join('lib', 'cache.js'))
  assert.equal(seen.length, 2)
})

test('an editor that saves by renaming, and a folder that is replaced', async (t) => {
  const { dir, next } = await watched(t)
  await fs.writeFile(path.join(dir, '.server.js.swp'), '// new')
  await fs.rename(path.join(dir, '.server.js.swp'), path.join(dir, 'server.js'))
  assert.equal(await next(), 'server.js')
  const other = `${dir}-fresh`
  await fs.mkdir(other)
  await fs.writeFile(path.join(other, 'server.js'), '// fresh')
  await fs.rename(dir, `${dir}-old`)
  await fs.rename(other, dir)
  assert.equal(await next(), 'server.js')
  await fs.writeFile(path.join(dir, 'server.js'), '// saved in the fresh one')
  assert.equal(await next(), 'server.js')
})

test('files elsewhere, hidden files, packages and what a running server writes are no save', async (t) => {
  const { dir, next, seen, run } = await watched(t)
  await fs.writeFile(path.join(path.dirname(dir), 'progress.json'), '{}')
  await fs.writeFile(path.join(dir, '.hidden.js'), '')
  await fs.writeFile(path.join(dir, 'server.js~'), '')
  await fs.mkdir(path.join(dir, 'node_modules'))
  await fs.writeFile(path.join(dir, 'node_modules', 'x.js'), '')
  run(true)
  await fs.writeFile(path.join(dir, 'access.log'), 'GET /')
  await fs.writeFile(path.join(dir, 'server.js'), '// saved while it runs')
  assert.equal(await next(), 'server.js')
  assert.deepEqual(seen, ['server.js'])
})

test('of several changes the one of code is told', () => {
  const before = new Map([['access.log', '1'], ['server.js', '1'], ['old.js', '1']])
  assert.equal(firstChange(before, new Map(before)), undefined)
  assert.equal(firstChange(before, new Map([...before, ['access.log', '2']])), 'access.log')
  assert.equal(firstChange(before, new Map([...before, ['access.log', '2'], ['server.js', '2']])), 'server.js')
  assert.equal(firstChange(before, new Map([...before, ['new.mjs', '1']])), 'new.mjs')
  assert.equal(firstChange(before, new Map([['access.log', '1'], ['server.js', '1']])), 'old.js')
})

/** @param {import('node:test').TestContext} t */
async function watched (t) {
  const root = temporaryFolder(t)
  const dir = path.join(root, '03-in-memory-json')
  await fs.mkdir(dir)
  await fs.writeFile(path.join(dir, 'server.js'), '// slow')
  /** @type {string[]} */
  const seen = []
  let told = () => {}
  let isRunning = false
  const changes = await watchChanges({
    dir,
    isRunning: () => isRunning,
    onChange: (file) => {
      seen.push(file)
      told()
    }
  })
  t.after(changes.close)
  let read = 0
  return {
    dir,
    seen,
    run: (/** @type {boolean} */ value) => { isRunning = value },
    next: async () => {
      while (seen.length <= read) await new Promise((resolve) => { told = () => resolve(undefined) })
      return seen[read++]
    }
  }
}
