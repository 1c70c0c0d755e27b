import assert from 'node:assert/strict'
import test from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { expectHarmless, fillsDisk, grade, skip, solutionAfter } from './in-sandbox.js'

/** Attacks that take long, or much memory. */

for (const [name, kind, verdict] of /** @type {const} */ ([
  ['9', 'pipe', 'inconclusive'],
  ['9', 'folder', 'inconclusive'],
  // The server itself can neither follow such a link nor get past such a pipe.
  ['15', 'link', 'fail'],
  ['16', 'link', 'fail'],
  ['16', 'pipe', 'fail']
])) {
  test(`a ${kind} where the check writes or reads in DATA_DIR, lesson ${name}`, { skip }, (t) =>
    expectHarmless(t, { name, kind, verdict }))
}

for (const name of ['9', '15', '16']) {
  test(`a check that only writes where it may still passes the solution, lesson ${name}`, { skip }, async () => {
    const lesson = await loadLesson(await resolveLesson(name))
    const { record } = await grade(lesson.solutionDir, lesson, { speed: true })
    assert.notEqual(record.verdict, 'fail', record.reason)
    assert.notEqual(record.verdict, 'error', record.reason)
  })
}

test('a server whose answers unpack to 400 MiB fails, and leaves the check its memory', { skip }, async (t) => {
  const lesson = await loadLesson(await resolveLesson('3'))
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 24 } }
  const body = brotliCompressSync(Buffer.alloc(400 * 1024 ** 2), quick).toString('base64')
  const before = `import http from 'node:http'
const { emit } = http.Server.prototype
http.Server.prototype.emit = function (type, req, res) {
  if (type !== 'request' || !/br/.test(req.headers['accept-encoding'] ?? '')) return emit.apply(this, arguments)
  res.setHeader('Content-Encoding', 'br').end(Buffer.from('${body}', 'base64'))
}
`
  const dir = solutionAfter(t, lesson, { 'before.js': before })
  const { record } = await grade(dir, lesson, { speed: true })
  assert.equal(record.verdict, 'fail', record.reason)
})

test('a server that waits almost as long as it may for each answer fails within two minutes', { skip }, async (t) => {
  const lesson = await loadLesson(await resolveLesson('3'))
  const before = `import http from 'node:http'
const { emit } = http.Server.prototype
http.Server.prototype.emit = function (type, ...given) {
  if (type !== 'request') return emit.call(this, type, ...given)
  setTimeout(() => emit.call(this, type, ...given), 4700)
}
`
  const { record } = await grade(solutionAfter(t, lesson, { 'before.js': before }), lesson, { speed: true })
  assert.equal(record.verdict, 'fail')
  assert.match(record.reason, /^The check was ended: it waited \d+ seconds for your server/)
})

test('a server that fills the disk of its DATA_DIR fails', { skip }, async (t) => {
  const lesson = await loadLesson(await resolveLesson('3'))
  const { record } = await grade(solutionAfter(t, lesson, { 'before.js': fillsDisk }), lesson)
  assert.equal(record.verdict, 'fail', record.reason)
  assert.match(JSON.stringify(record), /no room left for its DATA_DIR|ENOSPC/)
})

test('a server whose children take every port fails', { skip }, async (t) => {
  const lesson = await loadLesson(await resolveLesson('3'))
  const taker = `import net from 'node:net'
const [from, to] = process.argv.slice(2).map(Number)
for (let port = from; port < to; port++) net.createServer().on('error', () => {}).listen(port, '127.0.0.1')
`
  const before = `import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
const file = fileURLToPath(new URL('taker.js', import.meta.url))
for (let from = 32_768; from < 61_000; from += 7500) {
  spawn(process.execPath, [file, from, Math.min(61_000, from + 7500)], { stdio: 'ignore' })
}
`
  const dir = solutionAfter(t, lesson, { 'before.js': before, 'taker.js': taker })
  const { record } = await grade(dir, lesson)
  assert.equal(record.verdict, 'fail', record.reason)
})

test('a leak of lesson 13 that lies in a file without a name is a leak', { skip }, async (t) => {
  const lesson = await loadLesson(await resolveLesson('13'))
  const before = `import fs from 'node:fs'
import http from 'node:http'
const name = \`\${process.env.DATA_DIR}/leak\`
const file = fs.openSync(name, 'w+')
fs.unlinkSync(name)
const { emit } = http.Server.prototype
http.Server.prototype.emit = function (type, ...given) {
  if (type === 'request') fs.writeSync(file, Buffer.alloc(32_000, 1))
  return emit.call(this, type, ...given)
}
`
  const dir = solutionAfter(t, lesson, { 'before.js': before })
  const { record } = await grade(dir, lesson, { speed: true, budgetMs: 240_000 })
  assert.notEqual(record.verdict, 'pass')
  const { ratio } = record.gates.find(({ name }) => name === 'footprint') ?? {}
  assert.ok(Number(ratio) < 2, `footprint ${ratio}`)
})
