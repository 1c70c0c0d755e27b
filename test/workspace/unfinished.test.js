import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { keepOrDrop, readUnfinished, requireUnfinished } from '../../runner/workspace/index.js'
import { temporaryFolder } from '../temporary.js'

/** @param {import('node:test').TestContext} t */
function makePlaces (t) {
  const root = temporaryFolder(t)
  const [slowDir, workspaceDir] = ['slow-servers', 'workspace'].map((name) => path.join(root, name, '01-mini'))
  for (const dir of [slowDir, workspaceDir]) {
    fs.mkdirSync(dir, { recursive: true })
    fs.writeFileSync(path.join(dir, 'server.js'), '// slow\n')
  }
  /** @type {any} */
  const entry = { number: 1, id: 'mini', folder: '01-mini', slowDir, workspaceDir }
  return { entry, dir: workspaceDir, file: path.join(workspaceDir, 'server.js') }
}

test('rounds are kept for the same code, and for nothing else', async (t) => {
  const { entry, dir, file } = makePlaces(t)
  assert.equal(await readUnfinished(entry, dir), null)
  await keepOrDrop(entry, dir, { rounds: [1, 2] })
  assert.deepEqual(await readUnfinished(entry, dir), { rounds: [1, 2] })
  fs.appendFileSync(file, '// changed\n')
  assert.equal(await readUnfinished(entry, dir), null)
  fs.writeFileSync(file, '// slow\n')
  assert.deepEqual(await requireUnfinished(entry, dir), { rounds: [1, 2] })
  fs.appendFileSync(path.join(entry.slowDir, 'server.js'), '// changed\n')
  assert.equal(await readUnfinished(entry, dir), null)
})

test('a settled check leaves nothing to go on with, and trying to names the way out', async (t) => {
  const { entry, dir } = makePlaces(t)
  await keepOrDrop(entry, dir, { rounds: [] })
  await keepOrDrop(entry, dir, null)
  await assert.rejects(requireUnfinished(entry, dir), { message: /npm run check lesson-1 begins one/ })
  assert.equal(await readUnfinished(entry, path.join(dir, 'gone')), null)
})

test('what cannot be kept loses no verdict', async (t) => {
  const { entry, dir } = makePlaces(t)
  fs.writeFileSync(path.join(path.dirname(dir), 'results'), 'a file where the folder should be')
  await keepOrDrop(entry, dir, { rounds: [] })
  assert.equal(await readUnfinished(entry, dir), null)
})
