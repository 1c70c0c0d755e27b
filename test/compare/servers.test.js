import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { openRepository, runningAt, startOptionsOf } from '../../compare/sides.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { setVariables } from '../environment.js'
import { temporaryFolder } from '../temporary.js'

/** @param {import('node:test').TestContext} t @param {Record<string, string>} files */
function folderWith (t, files) {
  const dir = temporaryFolder(t)
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text)
  return dir
}

test('a server is started as npm would, or as asked', (t) => {
  /** @param {Record<string, string>} files @param {string} [start] */
  const way = (files, start, inspect = false) => {
    const dir = folderWith(t, files)
    const { through } = startOptionsOf(dir, { name: 'old', start, inspect })
    const { args, shell } = /** @type {any} */ (through)({ dir, nodeArgs: ['--flag'] })
    return shell ?? args
  }
  const script = (/** @type {object} */ settings) => ({ 'package.json': JSON.stringify(settings) })
  assert.deepEqual(way(script({ scripts: { start: 'node main.js --all' } })), ['--flag', 'main.js', '--all'])
  assert.equal(way(script({ scripts: { start: 'NAME=1 tsx app.ts' } })), 'NAME=1 tsx app.ts')
  assert.deepEqual(way({ ...script({}), 'server.js': '' }), ['--flag', 'server.js'])
  assert.deepEqual(way(script({ main: 'app.js' })), ['--flag', 'app.js'])
  assert.deepEqual(way({ 'package.json': `\ufeff${script({ main: 'app.js' })['package.json']}` }), ['--flag', 'app.js'])
  assert.deepEqual(way({}, 'node app.js'), ['--flag', 'app.js'])
  for (const [files, reason] of /** @type {[Record<string, string>, RegExp][]} */ ([
    [{}, /no package\.json in old: say how .*--start/],
    [{ 'package.json': '{' }, /can’t be read .*--start/],
    [script({}), /has no start script: .*--start/]
  ])) assert.throws(() => way(files), { name: 'WorkshopError', message: reason })
  assert.throws(() => way({}, 'npm start', true), /--gate memory .*`node`/)
})

test('an address has to be one of this machine', () => {
  const given = { flag: '--url-before', role: /** @type {const} */ ('baseline') }
  assert.equal(runningAt('http://localhost:3000', given).running?.origin, 'http://127.0.0.1:3000')
  for (const address of ['3000', 'https://127.0.0.1:3000', 'http://example.org:80', 'http://127.0.0.1:3000/api', '']) {
    assert.throws(() => runningAt(address, given), WorkshopError, address)
  }
})

test('two commits are laid out outside the repository, which doesn’t change', async (t) => {
  const dir = folderWith(t, { 'app.js': '1' })
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', [
    '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args
  ], { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'one')
  fs.writeFileSync(path.join(dir, 'app.js'), '2')
  git('commit', '-qam', 'two')
  fs.mkdirSync(path.join(dir, 'node_modules'))
  fs.writeFileSync(path.join(dir, 'app.js'), '3')
  const before = git('status', '--porcelain')

  const scratch = temporaryFolder(t)
  const { sides, notes } = await openRepository(['HEAD~1', 'main'], dir)
  const dirs = await Promise.all(sides.map((side) => side.dir(scratch)))
  assert.deepEqual(dirs.map((one) => fs.readFileSync(path.join(one, 'app.js'), 'utf8')), ['1', '2'])
  for (const one of dirs) {
    assert.equal(fs.realpathSync(path.join(one, 'node_modules')), path.join(dir, 'node_modules'))
  }
  assert.equal(notes.length, 1)
  assert.match(notes[0], /uncommitted changes \(1 file\) are in neither/)
  assert.equal(git('status', '--porcelain'), before)
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)

  const here = await openRepository(['HEAD', '.'], dir)
  assert.equal(await here.sides[1].dir(scratch), dir)
  assert.deepEqual(here.notes, [])
  await assert.rejects(openRepository(['--help', 'main'], dir), /There is no commit “--help” here/)
  await assert.rejects(openRepository(['a', 'b'], scratch), /is in no Git repository/)
})

test('where Git can’t do it, its own reason is told', async (t) => {
  const dir = folderWith(t, { '.git': 'gitdir: nowhere' })
  const reason = /is in no Git repository|^Git says: fatal:/
  await assert.rejects(openRepository(['a', 'b'], dir), { name: 'WorkshopError', message: reason })
  // As where the repository is another user's.
  const says = 'fatal: detected dubious ownership\nTo add an exception:\n\tgit config --add safe.directory'
  const bin = folderWith(t, { git: `#!/bin/sh\nprintf '%s' '${says}' >&2; exit 128\n` })
  fs.chmodSync(path.join(bin, 'git'), 0o755)
  setVariables(t, { PATH: `${bin}:/bin:/usr/bin` })
  await assert.rejects(openRepository(['a', 'b'], dir),
    /^WorkshopError: Git says: fatal: detected dubious ownership To add an exception: git config --add/)
  setVariables(t, { PATH: folderWith(t, {}) })
  await assert.rejects(openRepository(['a', 'b'], dir), /^WorkshopError: Git isn’t installed, or isn’t in the PATH/)
})
