import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { freePort } from '../../runner/process/sockets.js'
import { compare, servers } from './two-servers.js'

const fine = 'res.end("x")'
const port = await freePort()
const onOnePort = `; require('http').createServer((req, res) => ${fine}).listen(${port}, '127.0.0.1')`

for (const [what, before, after, sentence] of /** @type {[string, string, string, RegExp][]} */ ([
  ['has to be built', '; require("./dist/main.js")', fine,
    /^old: “node app\.cjs” in old ended with exit code 1 .*Error: Cannot find module .* If it has to be built/],
  ['lacks a package', '; require("no-such-package")', fine,
    /^old: “node app\.cjs” in old ended with exit code 1 .* with `npm install`: no-such-package isn’t there\.$/],
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

test('two profiles, and what changed from one to the other', async (t) => {
  const answer = 'let sum = 0; for (let i = 0; i < 5e4; i++) sum += i % 7; res.end(String(sum))'
  const place = servers(t, { old: answer, new: answer })
  const { code, stdout, stderr } = await compare(place, ['old', 'new', '--profile'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /change\s+old\s+new\s+function\s+where\n/)
  assert.match(fs.readFileSync(path.join(place, 'compare-profile', 'compared.html'), 'utf8'), /old above new/)
})
