import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import nodeFs from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isAbandoned, makeTemporary, removeMade, sweepTemporary } from '../../runner/process/temporary.js'
import { temporaryFolder } from '../temporary.js'

const hour = 3_600_000
const names = (/** @type {string} */ dir) => fs.readdirSync(dir).sort()

test('a folder is removed with what is in it; a link in it is removed, what it leads to is not', async (t) => {
  const parent = temporaryFolder(t)
  const kept = path.join(parent, 'kept')
  fs.mkdirSync(kept)
  fs.writeFileSync(path.join(kept, 'file'), '')
  const { dir, remove } = await makeTemporary({ parent })
  fs.mkdirSync(path.join(dir, 'a', 'b'), { recursive: true })
  fs.symlinkSync(kept, path.join(dir, 'a', 'link'), 'junction')
  assert.equal(await remove(), true)
  assert.deepEqual(names(parent), ['kept'])
  assert.deepEqual(names(kept), ['file'])
  assert.equal(await remove(), false)
})

test('what lies at its path by now, and is not what was made, stays', async (t) => {
  const parent = temporaryFolder(t)
  const made = await makeTemporary({ parent })
  fs.renameSync(made.dir, path.join(parent, 'elsewhere'))
  fs.mkdirSync(made.dir)
  fs.writeFileSync(path.join(made.dir, 'theirs'), '')
  assert.equal(await made.remove(), false)
  assert.deepEqual(names(made.dir), ['theirs'])
  // Nor does a link lead it astray.
  fs.renameSync(made.dir, path.join(parent, 'theirs'))
  fs.symlinkSync(path.join(parent, 'elsewhere'), made.dir, 'junction')
  assert.equal(await made.remove(), false)
  for (const identity of ['', '0:0', 'undefined']) {
    assert.equal(await removeMade({ dir: path.join(parent, 'theirs'), identity }), false)
  }
  assert.deepEqual(names(path.join(parent, 'theirs')), ['theirs'])
})

/** A folder whose maker has ended. @param {string} parent */
async function abandoned (parent) {
  const module = pathToFileURL(fileURLToPath(new URL('../../runner/process/temporary.js', import.meta.url))).href
  const code = `const { makeTemporary } = await import(${JSON.stringify(module)})
    console.log((await makeTemporary({ parent: ${JSON.stringify(parent)} })).dir)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  await exited
  const dir = String(line).trim()
  fs.writeFileSync(path.join(dir, 'data'), '')
  return dir
}

test('the next run removes what a killed one left, once it is old', async (t) => {
  const parent = temporaryFolder(t)
  const dir = await abandoned(parent)
  assert.equal(await sweepTemporary({ parent }), 0, 'it is young')
  assert.deepEqual(names(parent), [path.basename(dir)])
  assert.equal(await sweepTemporary({ parent, now: Date.now() + hour }), 1)
  assert.deepEqual(names(parent), [])
})

test('a sweep leaves alone what is not proven to be left behind', async (t) => {
  const parent = temporaryFolder(t)
  const later = { parent, now: Date.now() + hour }
  const own = await makeTemporary({ parent })
  // By name alone, with something in it.
  fs.mkdirSync(path.join(parent, 'make-it-fast-notes6'))
  fs.writeFileSync(path.join(parent, 'make-it-fast-notes6', 'mine.txt'), '')
  fs.writeFileSync(path.join(parent, 'make-it-fast-afile6'), '')
  // Not as mkdtemp names one, and empty.
  fs.mkdirSync(path.join(parent, 'make-it-fast-notes'))
  // A link to a folder that could be swept, and a copy of its owner's word.
  const dir = await abandoned(parent)
  const other = path.join(parent, 'other')
  fs.renameSync(dir, other)
  fs.symlinkSync(other, dir, 'junction')
  fs.cpSync(other, path.join(parent, 'make-it-fast-copied'), { recursive: true })
  // Another user's word about it.
  for (const [name, text] of Object.entries({
    half66: '{"dir":',
    none66: 'null',
    wrong6: JSON.stringify({ dir: 1, pid: 'x' })
  })) {
    fs.mkdirSync(path.join(parent, `make-it-fast-${name}`))
    fs.writeFileSync(path.join(parent, `make-it-fast-${name}`, '.make-it-fast-owner.json'), text)
    fs.writeFileSync(path.join(parent, `make-it-fast-${name}`, 'theirs'), '')
  }
  const before = names(parent)
  assert.equal(await sweepTemporary(later), 0)
  assert.deepEqual(names(parent), before)
  assert.equal(fs.existsSync(own.dir), true)
  // An empty one says nothing, and nothing is lost with it.
  fs.mkdirSync(path.join(parent, 'make-it-fast-empty6'))
  assert.equal(await sweepTemporary(later), 1)
  assert.deepEqual(names(parent), before)
})

test('a removal that is cut short is finished by a later sweep', async (t) => {
  const parent = temporaryFolder(t)
  const dir = await abandoned(parent)
  const later = { parent, now: Date.now() + hour }
  const rm = async () => { throw Object.assign(new Error(), { code: 'EBUSY' }) }
  assert.equal(await sweepTemporary({ ...later, fs: { ...nodeFs, rm } }), 0)
  assert.ok(names(dir).length > 0)
  assert.equal(await sweepTemporary(later), 1)
  assert.deepEqual(names(parent), [])
  // Its maker was killed while it wrote its word.
  fs.mkdirSync(path.join(parent, 'make-it-fast-abcdef'))
  fs.writeFileSync(path.join(parent, 'make-it-fast-abcdef', '.make-it-fast-owner.json'), '{"di')
  assert.equal(await sweepTemporary(later), 1)
})

test(
  'another user’s folder stays',
  { skip: process.getuid?.() !== 0 && 'only root can give a folder away' },
  async (t) => {
    const parent = temporaryFolder(t)
    const dir = await abandoned(parent)
    fs.chownSync(dir, 12_345, 12_345)
    assert.equal(await sweepTemporary({ parent, now: Date.now() + 48 * hour }), 0)
    assert.deepEqual(names(parent), [path.basename(dir)])
  }
)

test('a folder that cannot be read is no fault', async (t) => {
  assert.equal(await sweepTemporary({ parent: path.join(temporaryFolder(t), 'nowhere') }), 0)
})

test('abandoned is what is old and has lost its owner; if the owner can’t be known, what is a day old', () => {
  const owner = { dir: '/tmp/x', pid: 4711, start: 5, world: 'here' }
  const [lives, gone] = [() => true, () => false]
  assert.equal(isAbandoned(owner, { ageMs: hour, world: 'here', isThere: gone }), true)
  assert.equal(isAbandoned(owner, { ageMs: 1000, world: 'here', isThere: gone }), false)
  assert.equal(isAbandoned(owner, { ageMs: 1000 * hour, world: 'here', isThere: lives }), false)
  assert.equal(isAbandoned(owner, { ageMs: 2 * hour, world: 'elsewhere', isThere: gone }), false)
  assert.equal(isAbandoned(owner, { ageMs: 25 * hour, world: 'elsewhere', isThere: lives }), true)
})
