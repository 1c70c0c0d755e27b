import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { runCommand } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'

/**
 * Servers of strangers: what's planted in each takes nearly all of its time. Its loop has calls, because V8 charges a
 * loop of mere arithmetic that it has inlined to the caller (here after a second, in Node.js 20 to 24).
 */

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
const listens = 'listen(Number(process.env.PORT), process.env.HOST)'

const planted = `interface Price { net: number }

// A comment and types, which a compiler takes out.
type Rates = Record<string, number>

export function addUp (prices: Price[], rates: Rates): number {
  let sum = 0
  for (let at = 0; at < 60_000; at++) sum += String(prices[at % prices.length].net * rates.eu + at).length
  return sum
}
`
const plantedAt = planted.split('\n').findIndex((line) => line.includes('addUp')) + 1
const request = 'addUp([{ net: 3 }, { net: 4 }], { eu: 1.2 })'

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} sources TypeScript, by their names in src/
 */
function builtServer (t, sources) {
  const dir = temporaryFolder(t)
  fs.symlinkSync(packages, path.join(dir, 'node_modules'), 'junction')
  const settings = { type: 'module', scripts: { start: 'node dist/server.js' } }
  fs.writeFileSync(path.join(dir, 'package.json'), JSON.stringify(settings))
  for (const name of ['src', 'dist']) fs.mkdirSync(path.join(dir, name))
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, sourceMap: true }
  for (const [name, source] of Object.entries(sources)) {
    fs.writeFileSync(path.join(dir, 'src', `${name}.ts`), source)
    const { outputText, sourceMapText } = ts.transpileModule(source, { fileName: `../src/${name}.ts`, compilerOptions })
    const code = outputText.replace(/(sourceMappingURL=).*/, `$1${name}.js.map`)
    fs.writeFileSync(path.join(dir, 'dist', `${name}.js`), code)
    const map = { ...JSON.parse(String(sourceMapText)), sources: [`../src/${name}.ts`] }
    fs.writeFileSync(path.join(dir, 'dist', `${name}.js.map`), JSON.stringify(map))
  }
  return dir
}

/** @param {string} dir @param {string[]} args */
async function profile (dir, args = []) {
  const result = await runCommand(['profile', '.', '--seconds', '0.5', ...args], { cwd: dir, env: process.env })
  assert.equal(result.code, 0, result.stderr)
  return { ...result, read: (/** @type {string} */ name) => fs.readFileSync(path.join(dir, name), 'utf8') }
}

/** @param {string} json */
const hottest = (json) => JSON.parse(json).functions
  .filter((/** @type {any} */ one) => one.file !== null)
  .sort((/** @type {any} */ a, /** @type {any} */ b) => b.charged - a.charged)[0]

test('an Express app in TypeScript: the planted function is named by its own line, in every table', async (t) => {
  const dir = builtServer(t, {
    prices: planted,
    server: `import express from 'express'
import { addUp } from './prices.js'
const app: express.Express = express()
app.get('/sum', (request, response) => { response.json(${request}) })
app.${listens}
`
  })
  const { stdout, read } = await profile(dir, ['--path', '/sum', '--md', 'report.md'])
  const { name, place, lines } = hottest(read('profile-report/cpu.json'))
  assert.deepEqual([name, place], ['addUp', `src/prices.ts:${plantedAt}`])
  // Its time is in its loop, two lines further down.
  assert.deepEqual(lines.sort((/** @type {any} */ a, /** @type {any} */ b) => b.self - a.self)[0].line, plantedAt + 2)
  assert.match(stdout, new RegExp(`addUp +src/prices\\.ts:${plantedAt}\\n`))
  assert.doesNotMatch(stdout, /dist\/prices\.js/)
  assert.match(read('report.md'), new RegExp(`\\| addUp \\| src/prices\\.ts:${plantedAt} \\|`))
  assert.match(read('profile-report/cpu.html'), /addUp/)
})

test('a restify server, started by a command', async (t) => {
  const dir = builtServer(t, {
    prices: planted,
    app: `import restify from 'restify'
import { addUp } from './prices.js'
const server = restify.createServer()
server.get('/sum', (request: unknown, response: any, next: () => void) => {
  response.send({ sum: ${request} })
  next()
})
server.${listens}
`
  })
  const { read } = await profile(dir, ['--start', 'node dist/app.js', '--path', '/sum'])
  assert.equal(hottest(read('profile-report/cpu.json')).place, `src/prices.ts:${plantedAt}`)
})

test('Ctrl-C ends the load, and the report comes from what was recorded until then', async (t) => {
  const dir = builtServer(t, {
    prices: planted,
    server: `import http from 'node:http'
import { addUp } from './prices.js'
http.createServer((request, response) => { response.end(String(${request})) }).${listens}
`
  })
  const { code, stdout } = await runCommand(['profile', '.', '--seconds', '60'], {
    cwd: dir,
    env: process.env,
    graceMs: 600_000,
    onOutput: (said, signal) => { if (said.includes('Recording')) signal('SIGINT') }
  })
  assert.equal(code, 130)
  assert.match(stdout, /Report: profile-report/)
  const figures = fs.readFileSync(path.join(dir, 'profile-report', 'cpu.json'), 'utf8')
  assert.equal(hottest(figures).place, `src/prices.ts:${plantedAt}`)
})

test('a server with a worker thread: the function in the worker is named, and its thread', async (t) => {
  const dir = builtServer(t, {
    prices: planted,
    worker: `import { parentPort } from 'node:worker_threads'
import { addUp } from './prices.js'
parentPort!.on('message', (id: number) => parentPort!.postMessage([id, ${request}]))
`,
    server: `import http from 'node:http'
import { Worker } from 'node:worker_threads'
const worker = new Worker(new URL('worker.js', import.meta.url))
const waiting = new Map<number, http.ServerResponse>()
let last = 0
worker.on('message', ([id, sum]) => { waiting.get(id)!.end(String(sum)); waiting.delete(id) })
http.createServer((request, response) => { waiting.set(++last, response); worker.postMessage(last) })
  .${listens}
`
  })
  const { read } = await profile(dir)
  const { place, thread } = hottest(read('profile-report/cpu.json'))
  assert.equal(place, `src/prices.ts:${plantedAt}`)
  assert.match(thread, /worker/)
})

test('what can’t be profiled is refused with the way out', async (t) => {
  const dir = temporaryFolder(t)
  const refused = async (/** @type {string[]} */ args) => {
    const { code, stderr } = await runCommand(['profile', ...args], { cwd: dir, env: process.env })
    assert.equal(code, 3)
    return stderr
  }
  assert.match(await refused(['.']), /There is no package\.json in .+: say how the server is started/)
  assert.match(await refused(['./nowhere']), /There is no folder \.\/nowhere/)
  assert.match(await refused(['.', '--compare']), /`compare BEFORE AFTER --profile` shows what changed/)
  assert.match(await refused(['.', '--start', 'node app.js', '--tool', 'bubbleprof']), /There is no tool “bubbleprof”/)
  assert.match(await refused(['lesson-1', '--path', '/x']), /give its folder instead of a lesson/)
})
