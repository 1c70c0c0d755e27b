import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { isRecord } from '../../runner/judge/index.js'
import { compare, servers } from './two-servers.js'

test('two folders, from the command line to reports', async (t) => {
  const answer = `
    res.writeHead(req.url === '/b' ? 401 : 200, {
      'Content-Type': 'application/json',
      'Set-Cookie': ['theme=dark; Path=/; HttpOnly', 'sid=' + Math.random()]
    })
    res.end(JSON.stringify({ path: req.url, self: 'http://' + req.headers.host + req.url }))`
  const place = servers(t, { old: answer, new: answer })
  const summary = path.join(place, 'summary.md')
  fs.writeFileSync(summary, '')
  fs.writeFileSync(path.join(place, 'load.json'),
    JSON.stringify({ requests: [{ path: '/a', keep: { theme: 'cookies.theme' } }, { path: '/b' }] }))
  const flags = ['--load', 'load.json', '--seconds', '1', '--json', '--github', '--junit', 'junit.xml']
  const { code, stdout, stderr } = await compare(place, ['old', 'new', ...flags], {
    env: { GITHUB_STEP_SUMMARY: summary }
  })
  assert.equal(stderr.includes('Error'), false, stderr)
  const record = JSON.parse(stdout)
  assert.equal(isRecord(record), true)
  assert.equal(record.comparison.before, 'old')
  assert.equal(record.comparison.after, 'new')
  assert.ok(record.load.requests > 0)
  assert.deepEqual([record.load.errors, record.load.non2xx, record.load.mismatches], [0, 0, 0])
  const [{ name, servers: names }] = record.gates
  assert.deepEqual([name, names], ['rate', ['old', 'new']])
  assert.equal(code, { pass: 0, fail: 1, inconclusive: 2 }[/** @type {'pass'} */ (record.verdict)])
  assert.match(record.reason, / Both servers answer some requests with an error: GET \/b with status 401 \(50 %/)
  assert.match(fs.readFileSync(summary, 'utf8'), /\| gate \| unit \| old \| new \| ratio \|/)
  assert.match(fs.readFileSync(path.join(place, 'junit.xml'), 'utf8'), /<testsuite name="new, compared with old"/)
})

test('a load file logs in to each server, and an answer that differs ends the comparison', async (t) => {
  const answer = (/** @type {number} */ price) => `
    if (req.method === 'POST') return res.end(JSON.stringify({ token: process.pid }))
    res.statusCode = req.headers.authorization === 'Bearer ' + process.pid ? 200 : 401
    res.end(JSON.stringify({ id: req.url, price: ${price}, at: Math.random() }))`
  const place = servers(t, { old: answer(1), new: answer(2) })
  fs.writeFileSync(path.join(place, 'load.json'), JSON.stringify({
    requests: [{ path: '/items/{id}', headers: { authorization: 'Bearer {token}' } }],
    inputs: { id: [7] },
    before: [{ method: 'POST', path: '/login', body: { user: 'ada' }, keep: { token: 'body.token' } }]
  }))
  const { code, stdout } = await compare(place, ['old', 'new', '--load', 'load.json', '--ignore', 'at', '--json'])
  const { contract: [result], comparison } = JSON.parse(stdout)
  assert.deepEqual([code, comparison.says], [1, 'different answers'])
  assert.equal(result.message, 'The answers to GET /items/7 differ in the body at price: old sends 1, new sends 2.')
  assert.equal(result.requests[1],
    "curl -i --compressed -H 'authorization: Bearer {token}' 'http://127.0.0.1:PORT/items/7'")
})

test('what cannot be compared is refused with one sentence', async (t) => {
  const place = servers(t, { old: 'res.end()' })
  const nowhere = ['--url-before', 'http://127.0.0.1:1', '--url-after', 'http://127.0.0.1:2']
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [['old'], /Say which two folders/],
    [['old', 'nowhere'], /There is no folder nowhere/],
    [['old', 'old', '--precision', 'x'], /--precision takes a number from 3 to 100, got x/],
    [nowhere.slice(2), /Give both addresses/],
    [[...nowhere.slice(0, 3), nowhere[1]], /Both addresses lead to one server, 127\.0\.0\.1:1: let the other/],
    [['old', 'old', '--load', 'nowhere.json'], /There is no load file nowhere\.json: name one with --load/],
    [['--git', 'no-such-ref', '.'], /There is no commit “no-such-ref”|is in no Git repository/],
    [nowhere, /^Nothing listens at 127\.0\.0\.1:[12]: start that server first\.$/m],
    [[...nowhere, '--gate', 'cpu'], /^--gate cpu needs servers that are started here/m]
  ])) {
    const { code, stderr, started } = await compare(place, args)
    assert.match(stderr, message)
    assert.deepEqual([code, started], [3, 0])
  }
})

/** A server in a repository of one commit. @param {import('node:test').TestContext} t @param {string} body */
function repository (t, body) {
  const place = servers(t, { repository: body })
  const cwd = path.join(place, 'repository')
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'one')
  return { place, cwd, git }
}

test('no name of a commit is a flag, or a command', async (t) => {
  const { place, cwd, git } = repository(t, 'res.end()')
  for (const ref of ['--output=made', '$(touch made)', ';touch made', '`touch made`', 'HEAD^{commit};touch made']) {
    const { code, stderr, started } = await compare(place, ['--git', 'HEAD', ref], { cwd })
    assert.match(stderr, /^Usage: |Unknown|There is no commit “/m, ref)
    assert.deepEqual([code, started], [3, 0])
  }
  assert.deepEqual(git('status', '--porcelain'), '')
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)
})

test('a repository with uncommitted changes, whose server crashes, stays as it was', async (t) => {
  const { place, cwd, git } = repository(t, 'throw new Error("out of luck")')
  git('commit', '-qm', 'two', '--allow-empty')
  fs.appendFileSync(path.join(cwd, 'app.cjs'), '\n// unfinished')
  const status = git('status', '--porcelain')
  const { code, stdout } = await compare(place, ['--git', 'HEAD~1', 'HEAD'], { cwd })
  assert.equal(code, 3)
  assert.match(stdout, /HEAD~1 ended with exit code 1 after GET \//)
  assert.match(stdout, /Error: out of luck/)
  assert.equal(git('status', '--porcelain'), status)
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)
  assert.deepEqual(fs.readdirSync(cwd).sort(), ['.git', 'app.cjs', 'package.json'])
})
