import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { compare, servers } from './two-servers.js'

/** One sentence each, exit code 3, and nothing is left: `compare` in two-servers.js sees to that. */

test('a server that does not start', async (t) => {
  const place = servers(t, { old: 'res.end("x")', new: '; throw new Error("no database")' })
  const { code, stdout, started } = await compare(place, ['old', 'new', '--json'])
  const { reason, output, comparison } = JSON.parse(stdout)
  assert.match(reason, /^new: “node app\.cjs” in new ended with exit code 1 .*: no database \(new\/app\.cjs:3\)\.$/)
  assert.deepEqual([code, comparison.says, started], [3, 'error', 2])
  assert.equal(output[0].server, 'new')
})

test('a repository with uncommitted changes, whose server crashes, stays as it was', async (t) => {
  const place = servers(t, { repository: 'throw new Error("out of luck")' })
  const cwd = path.join(place, 'repository')
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'one')
  git('commit', '-qm', 'two', '--allow-empty')
  fs.appendFileSync(path.join(cwd, 'app.cjs'), '\n// unfinished')
  const status = git('status', '--porcelain')
  const { code, stderr } = await compare(place, ['--git', 'HEAD~1', 'HEAD'], { cwd })
  assert.equal(code, 3)
  assert.match(stderr, /^HEAD~1 gives no answer that can be compared: GET \/: the server closed the connection/m)
  assert.equal(git('status', '--porcelain'), status)
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)
  assert.deepEqual(fs.readdirSync(cwd).sort(), ['.git', 'app.cjs', 'package.json'])
})
