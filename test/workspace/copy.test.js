import assert from 'node:assert/strict'
import nodeFs from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { openCopy, resetCopy } from '../../runner/workspace/index.js'
import { makeEntry } from '../lesson/fixture.js'
import { removeFolder } from '../temporary.js'
import { isSentence } from '../sentence.js'

const now = new Date(2026, 10, 21, 10, 33, 5)

test('the first use copies the slow server, with all its files', async (t) => {
  const entry = await makeEntry(t)
  const { dir, created } = await openCopy(entry)
  assert.equal(dir, path.join(entry.root, 'workspace', '03-in-memory-json'))
  assert.equal(created, true)
  assert.equal(await read(dir, 'server.js'), '// the slow server of in-memory-json\n')
  assert.equal(await read(dir, 'lib', 'data.js'), '// its other file\n')
  assert.deepEqual(await nodeFs.readdir(path.join(entry.root, 'workspace')), ['03-in-memory-json', 'progress.json'])
})

test('a lesson with a start folder starts from there', async (t) => {
  const entry = await makeEntry(t, { 'lessons/03-in-memory-json/start/server.js': '// the fix that lied\n' })
  const { dir } = await openCopy(entry)
  assert.equal(await read(dir, 'server.js'), '// the fix that lied\n')
})

test('a copy that is there is never touched', async (t) => {
  const entry = await makeEntry(t)
  await openCopy(entry)
  await nodeFs.writeFile(path.join(entry.workspaceDir, 'server.js'), '// mine\n')
  assert.deepEqual(await openCopy(entry), { dir: entry.workspaceDir, created: false })
  assert.equal(await read(entry.workspaceDir, 'server.js'), '// mine\n')
})

test('node_modules of the original stay where they are', async (t) => {
  const entry = await makeEntry(t, { 'slow-servers/03-in-memory-json/node_modules/x/index.js': '' })
  const { dir } = await openCopy(entry)
  assert.deepEqual((await nodeFs.readdir(dir)).sort(), ['lib', 'server.js'])
})

test('what is copied from a read-only checkout can be written', async (t) => {
  const entry = await makeEntry(t)
  await nodeFs.chmod(path.join(entry.slowDir, 'server.js'), 0o444)
  const { dir } = await openCopy(entry)
  const { mode } = await nodeFs.stat(path.join(dir, 'server.js'))
  assert.equal(mode & 0o200, 0o200)
})

test('two checks at once make one copy', async (t) => {
  const entry = await makeEntry(t)
  const opened = await Promise.all([openCopy(entry), openCopy(entry), openCopy(entry)])
  assert.equal(opened.filter(({ created }) => created).length, 1)
  assert.deepEqual(await nodeFs.readdir(path.join(entry.root, 'workspace')), ['03-in-memory-json', 'progress.json'])
})

test('a copy that breaks off leaves nothing, and the next use makes a whole one', async (t) => {
  const entry = await makeEntry(t)
  const failure = fail(t, 'copyFile', 'EIO', { after: 1 })
  await assert.rejects(openCopy(entry), { code: 'EIO' })
  failure.restore()
  assert.deepEqual(await nodeFs.readdir(path.join(entry.root, 'workspace')), [])
  assert.equal((await openCopy(entry)).created, true)
  assert.equal(await read(entry.workspaceDir, 'server.js'), '// the slow server of in-memory-json\n')
})

test('what a killed copy left behind is no copy, and is swept up once it is old', async (t) => {
  const entry = await makeEntry(t)
  const workspace = path.join(entry.root, 'workspace')
  const old = path.join(workspace, '.making-03-in-memory-json-oldold')
  const young = path.join(workspace, '.making-03-in-memory-json-young6')
  await nodeFs.mkdir(old, { recursive: true })
  await nodeFs.mkdir(young)
  await nodeFs.utimes(old, 0, 0)
  assert.equal((await openCopy(entry)).created, true)
  const left = (await nodeFs.readdir(workspace)).sort()
  assert.deepEqual(left, ['.making-03-in-memory-json-young6', '03-in-memory-json', 'progress.json'])
})

test('a lesson about another file misses that one', async (t) => {
  const entry = { ...await makeEntry(t, { 'lessons/03-in-memory-json/start/load.js': '' }), file: 'load.js' }
  await openCopy(entry)
  assert.equal((await openCopy(entry)).created, false)
  await nodeFs.rm(path.join(entry.workspaceDir, 'load.js'))
  await assert.rejects(openCopy(entry), isSentence(/load\.js is missing: `npm run reset lesson-3`/))
})

test('a slow server that is gone is told with the command that brings it back', async (t) => {
  const entry = await makeEntry(t)
  removeFolder(entry.slowDir)
  await assert.rejects(openCopy(entry), isSentence(/slow-servers.+is missing: `git checkout -- /))
})

for (const [code, expected] of Object.entries({
  EACCES: /^You don’t have permission to write to .*workspace: change .* set the variable MAKE_IT_FAST_WORKSPACE/,
  EROFS: /^The disk that holds .*workspace is read-only: .* MAKE_IT_FAST_WORKSPACE/,
  ENOSPC: /^The disk that holds .*workspace is full: free some space/,
  EDQUOT: /^Your quota on the disk that holds .*workspace is used up: free some space/,
  EPERM: /^The system doesn’t let us change .*workspace: close the editor/,
  EBUSY: /^Another program is using .*workspace: close the editor/
})) {
  test(`${code} while copying is one sentence with the folder and the fix`, async (t) => {
    const entry = await makeEntry(t)
    for (const name of /** @type {const} */ (['mkdir', 'mkdtemp', 'copyFile', 'rename'])) {
      const failure = fail(t, name, code)
      await assert.rejects(openCopy(entry), isSentence(expected))
      failure.restore()
    }
    fail(t, 'copyFile', code)
    await assert.rejects(resetCopy(entry), isSentence(expected))
  })
}

test('a file where the workspace should be is told in one sentence', async (t) => {
  const entry = await makeEntry(t, { workspace: 'a file' })
  await assert.rejects(openCopy(entry), isSentence(/^There is a file where the folder .*workspace should be/))
})

test('reset keeps the old copy under a dated name, and never overwrites another one', async (t) => {
  const entry = await makeEntry(t)
  const backups = []
  for (const text of ['// a\n', '// b\n', '// c\n']) {
    await openCopy(entry)
    await nodeFs.writeFile(path.join(entry.workspaceDir, 'server.js'), text)
    const { dir, backup } = await resetCopy(entry, { now })
    backups.push(path.relative(path.join(entry.root, 'workspace'), backup ?? ''))
    assert.equal(await read(backup ?? '', 'server.js'), text)
    assert.equal(await read(dir, 'server.js'), '// the slow server of in-memory-json\n')
  }
  const name = path.join('backups', '03-in-memory-json-2026-11-21T10-33-05')
  assert.deepEqual(backups, [name, `${name}-2`, `${name}-3`])
})

test('reset before the first check makes a copy and has nothing to keep', async (t) => {
  const entry = await makeEntry(t)
  assert.deepEqual(await resetCopy(entry), { dir: entry.workspaceDir, backup: null })
  assert.equal(await read(entry.workspaceDir, 'server.js'), '// the slow server of in-memory-json\n')
})

test('reset repairs a copy that lost its server.js', async (t) => {
  const entry = await makeEntry(t)
  await openCopy(entry)
  await nodeFs.rm(path.join(entry.workspaceDir, 'server.js'))
  await resetCopy(entry)
  assert.equal((await openCopy(entry)).created, false)
})

test('a reset that fails, at whatever step, leaves the learner\'s work where it was', async (t) => {
  for (const [name, after] of /** @type {const} */ ([['copyFile', 0], ['rename', 0], ['rename', 1]])) {
    const entry = await makeEntry(t)
    await openCopy(entry)
    await nodeFs.writeFile(path.join(entry.workspaceDir, 'server.js'), '// mine\n')
    const failure = fail(t, name, 'ENOSPC', { after, times: 1 })
    await assert.rejects(resetCopy(entry, { now }), isSentence(/is full/))
    failure.restore()
    assert.equal(await read(entry.workspaceDir, 'server.js'), '// mine\n')
    const left = await nodeFs.readdir(path.join(entry.root, 'workspace'))
    assert.deepEqual(left.filter((item) => item.startsWith('.')), [])
  }
})

/**
 * Makes one function of the file system fail.
 *
 * @param {import('node:test').TestContext} t
 * @param {'mkdir' | 'mkdtemp' | 'copyFile' | 'rename'} name
 * @param {string} code
 * @param {{ after?: number, times?: number }} [when] how many calls succeed before, and how many fail then
 */
function fail (t, name, code, { after = 0, times = Infinity } = {}) {
  const real = nodeFs[name]
  let calls = 0
  return t.mock.method(nodeFs, name, async (/** @type {any[]} */ ...args) => {
    calls++
    if (calls > after && calls <= after + times) throw Object.assign(new Error(code), { code })
    return Reflect.apply(real, nodeFs, args)
  }).mock
}

/** @param {string[]} parts */
function read (...parts) {
  return nodeFs.readFile(path.join(...parts), 'utf8')
}
