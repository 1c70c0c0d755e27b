import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { watchChanges } from '../../../runner/cli/watch/changes.js'
import { needsPolling } from '../../../runner/cli/watch/polling.js'
import { removeFolder, temporaryFolder } from '../../temporary.js'

for (const poll of [false, true]) {
  const how = poll ? ', also by looking again and again' : ''

  test(`a save is told, once for a burst of them${how}`, async (t) => {
    const { dir, next, seen } = await watched(t, { poll })
    await fs.writeFile(path.join(dir, 'server.js'), '// one')
    await fs.writeFile(path.join(dir, 'server.js'), '// two')
    assert.equal(await next(), 'server.js')
    await fs.mkdir(path.join(dir, 'lib'))
    await fs.writeFile(path.join(dir, 'lib', 'cache.js'), '// one')
    assert.equal(await next(), path.join('lib', 'cache.js'))
    assert.equal(seen.length, 2)
  })

  test(`an editor that saves by renaming, and a folder that is replaced${how}`, async (t) => {
    const { dir, next } = await watched(t, { poll })
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
}

test('what lies elsewhere, hidden files and packages are no save; what a running server writes is none', async (t) => {
  const { dir, next, seen, run } = await watched(t, { poll: false })
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

test('network drives, and the drives of Windows under WSL, are looked at again and again', () => {
  const here = { dir: '/home/ada/workspace', fileSystem: 0xef53, isWsl: false }
  assert.equal(needsPolling(here), false)
  assert.equal(needsPolling({ ...here, fileSystem: null }), false)
  assert.equal(needsPolling({ ...here, fileSystem: 0x6969 }), true)
  assert.equal(needsPolling({ ...here, fileSystem: 0x01021997 }), true)
  // SMB, as a 32-bit system gives it.
  assert.equal(needsPolling({ ...here, fileSystem: 0xff534d42 | 0 }), true)
  assert.equal(needsPolling({ ...here, isWsl: true }), false)
  assert.equal(needsPolling({ ...here, isWsl: true, dir: '/mnt/c/Users/ada' }), true)
  assert.equal(needsPolling({ ...here, dir: '/mnt/c/Users/ada' }), false)
})

/** @param {import('node:test').TestContext} t @param {{ poll: boolean }} options */
async function watched (t, { poll }) {
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
    poll,
    isRunning: () => isRunning,
    onChange: (file) => {
      seen.push(file)
      told()
    }
  })
  assert.equal(changes.isPolling, poll)
  t.after(async () => {
    await changes.close()
    removeFolder(dir)
  })
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
