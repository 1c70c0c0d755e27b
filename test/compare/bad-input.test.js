import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { freePort } from '../../runner/session/server/port.js'
import { compare, servers } from './two-servers.js'

/** One sentence each, exit code 3, and nothing is left: `compare` in two-servers.js sees to that. */

const fine = 'res.end("x")'
const port = await freePort()
const onOnePort = `; require('http').createServer((req, res) => ${fine}).listen(${port}, '127.0.0.1')`

for (const [what, before, after, sentence] of /** @type {[string, string, string, RegExp][]} */ ([
  ['has to be built', '; require("./dist/main.js")', fine,
    /^old: “node app\.cjs” in old ended with exit code 1 .*Error: Cannot find module .* If it has to be built/],
  ['does not start', fine, '; throw new Error("no database")',
    /^new: “node app\.cjs” in new ended with exit code 1 .*Error: no database \(new\/app\.cjs:3\)\.$/],
  ['ignores PORT', onOnePort, fine,
    /^old: “node app\.cjs” in old listens on port \d+, not on process\.env\.PORT: give listen/],
  ['listens on one port with the other', onOnePort, onOnePort,
    /^(old|new): “node app\.cjs” in \1 (listens on port \d+, not|ended .*EADDRINUSE.* listen) on process\.env\.PORT/],
  ['dies under load', 'if ((this.n = (this.n ?? 0) + 1) > 70) throw new Error("out of luck"); res.end("x")', fine,
    /^old ended with exit code 1 under load\.$/]
])) {
  test(`a server that ${what}`, async (t) => {
    const place = servers(t, { old: before, new: after })
    const { code, stdout, started } = await compare(place, ['old', 'new', '--seconds', '1', '--json'])
    const { reason, output, comparison } = JSON.parse(stdout)
    assert.match(reason, sentence)
    assert.deepEqual([code, comparison.says], [3, 'error'])
    assert.ok(started >= 2)
    // Where there is something to read, it's what that server wrote.
    if (/exit code/.test(reason)) assert.equal(output[0].server, reason.split(/:| ended/)[0])
  })
}

for (const [what, answer, sentence] of /** @type {[string, string, RegExp][]} */ ([
  ['answers differently each time', 'res.end(JSON.stringify({ n: Math.random() }))',
    /^old itself answers GET \/ differently each time: .* Leave it out with --ignore n\.$/m],
  ['wants a login', 'res.statusCode = 401; res.end()',
    /^old answers every request with an error, GET \/ with status 401: .* log in first with `before`/m],
  ['leads to its login', 'res.writeHead(302, { location: "/login?next=/" }); res.end()',
    /^old sends every request to a login, GET \/ to \/login\?next=\/: log in first with `before`/m],
  ['limits the rate', 'if ((this.n = (this.n ?? 0) + 1) > 1) res.statusCode = 429; res.end()',
    /^old soon answers GET \/ with status 429: switch off the rate limit while you compare\.$/m],
  ['hangs up', 'req.socket.destroy()',
    /^old gives no answer that can be compared: GET \/: the server closed the connection without a complete answer\.$/m]
])) {
  test(`a server that ${what}`, async (t) => {
    const { code, stderr, started } = await compare(servers(t, { old: answer, new: answer }), ['old', 'new'])
    assert.match(stderr, sentence)
    assert.deepEqual([code, started], [3, 2])
  })
}

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
  const { code, stderr } = await compare(place, ['--git', 'HEAD~1', 'HEAD'], cwd)
  assert.equal(code, 3)
  assert.match(stderr, /^HEAD~1 gives no answer that can be compared: GET \/: the server closed the connection/m)
  assert.equal(git('status', '--porcelain'), status)
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)
  assert.deepEqual(fs.readdirSync(cwd).sort(), ['.git', 'app.cjs', 'package.json'])
})
