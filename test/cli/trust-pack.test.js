import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { makeRepository } from '../lesson/fixture.js'
import { temporaryFolder } from '../temporary.js'
import { runCommand } from './run.js'

test('a pack is used after a yes: by --trust, remembered from then on; or by the variable', async (t) => {
  const root = await makeRepository(t)
  const workspace = path.join(temporaryFolder(t), 'workspace')
  const env = { ...process.env, MAKE_IT_FAST_WORKSPACE: workspace }
  const run = (/** @type {string[]} */ args, more = {}) =>
    runCommand(['list', ...args], { env: { ...env, ...more } })
  const refused = await run(['--lessons', root])
  assert.equal(refused.code, 3)
  assert.match(refused.stderr, /^The lessons in .+ are programs that run with your rights, .+: --trust says that/)
  assert.equal(refused.stdout, '')
  assert.equal((await run([], { MAKE_IT_FAST_LESSONS: root })).code, 0)
  assert.equal((await run(['--lessons', root])).code, 3, 'the variable is no answer for later')
  assert.equal((await run(['--lessons', root, '--trust'])).code, 0)
  assert.equal((await run(['--lessons', root])).code, 0)
  const other = await makeRepository(t)
  fs.cpSync(workspace, path.join(other, 'workspace'), { recursive: true })
  assert.equal((await run(['--lessons', other])).code, 3)
})

test('a pack that new-lesson has begun is trusted, one that was there before is not', async (t) => {
  const [own, other] = [path.join(temporaryFolder(t), 'own'), await makeRepository(t)]
  const env = { ...process.env, MAKE_IT_FAST_WORKSPACE: path.join(temporaryFolder(t), 'workspace') }
  const run = (/** @type {string[]} */ ...args) => runCommand(args, { env })
  for (const [pack, code] of new Map([[own, 0], [other, 3]])) {
    assert.equal((await run('new-lesson', 'cold-start', '--number', '90', '--lessons', pack)).code, 0)
    assert.equal((await run('list', '--lessons', pack)).code, code)
  }
})
