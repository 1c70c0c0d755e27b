import fs from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../../temporary.js'

/** Servers that behave in one particular way. */
export const sources = {
  good: "require('http').createServer((q, r) => r.end('ok')).listen(process.env.PORT, process.env.HOST)",
  neverListens: 'setInterval(() => {}, 1000)',
  otherPort: "const s = require('http').createServer().listen(0, '127.0.0.1')",
  ipv6Only: "require('http').createServer().listen({ port: process.env.PORT, host: '::1', ipv6Only: true })",
  exitsAtOnce: "console.log('bye')",
  exitsWithCode: "console.error('Error: no database'); process.exit(7)",
  throws: 'const config = undefined\nconsole.log(config.port)',
  syntaxError: 'const a = 1\nconst b = {{\n',
  missingPackage: "require('no-such-package')",
  floods:
    "setInterval(() => { for (let i = 0; i < 200; i++) process.stdout.write('x'.repeat(9999) + '\\n') }, 1)\n" +
      "require('http').createServer((q, r) => r.end('ok')).listen(process.env.PORT, process.env.HOST)",
  ignoresStop:
    "process.on('SIGTERM', () => {})\n" +
      "require('http').createServer((q, r) => r.end('ok')).listen(process.env.PORT, process.env.HOST)",
  startsOneAtTheEnd: `
    require('http').createServer((q, r) => r.end('ok')).listen(process.env.PORT, process.env.HOST)
    process.on('SIGTERM', () => {
      require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 100)'], { stdio: 'ignore' })
      process.exit()
    })`,
  childKeepsPort: `
    const { spawn } = require('child_process')
    if (process.argv[2] === 'child') {
      require('http').createServer((q, r) => r.end('child')).listen(process.env.PORT, process.env.HOST)
    } else {
      spawn(process.execPath, [__filename, 'child'], { detached: true, stdio: 'ignore' }).unref()
      setInterval(() => {}, 1000)
    }`,
  childOutlivesIt: `
    const { spawn } = require('child_process')
    if (process.argv[2] === 'child') {
      require('http').createServer((q, r) => r.end('child')).listen(process.env.PORT, process.env.HOST)
    } else {
      spawn(process.execPath, [__filename, 'child'], { detached: true, stdio: 'ignore' }).unref()
      setTimeout(() => {}, 300)
    }`,
  childrenWithoutMarker: `
    const { spawn } = require('child_process')
    // In its group, and in a separate one: what has no environment carries no marker.
    for (const detached of [false, true]) spawn('/bin/sleep', ['600'], { env: {}, stdio: 'ignore', detached }).unref()
    require('http').createServer((q, r) => { if (q.url === '/end') process.exit(3); r.end('ok') })
      .listen(process.env.PORT, process.env.HOST)`,
  hangs:
    "require('http').createServer((q, r) => { if (q.url !== '/hang') r.end('ok') })" +
      '.listen(process.env.PORT, process.env.HOST)'
}

/**
 * A temporary folder with one of them as server.js, removed after the test.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} source
 * @param {Record<string, string>} [files] further ones
 */
export function serverFolder (t, source, files = {}) {
  const dir = temporaryFolder(t)
  const all = { 'server.js': source, 'package.json': '{"type":"commonjs"}', ...files }
  for (const [name, content] of Object.entries(all)) fs.writeFileSync(path.join(dir, name), content)
  return dir
}
