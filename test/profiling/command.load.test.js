import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { root as miniRoot, submission } from '../check/mini.js'
import { cli, runNode } from '../cli/run.js'
import { signalChild } from '../../runner/system/index.js'
import { temporaryFolder } from '../temporary.js'

/**
 * @param {import('node:test').TestContext} t
 * @param {string[]} args
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {(child: import('node:child_process').ChildProcessWithoutNullStreams) => void} [options.started]
 */
async function profile (t, args, { env = {}, started } = {}) {
  // A space, as in many a home folder.
  const workspace = temporaryFolder(t, 'mif workspace ')
  const ended = await runNode([cli, 'profile', ...args], {
    env: { ...process.env, MAKE_IT_FAST_WORKSPACE: workspace, NO_COLOR: '1', ...env },
    started
  })
  const folder = path.join(workspace, 'profiles')
  const written = fs.existsSync(folder)
    ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name)).sort()
    : []
  return { ...ended, written, workspace }
}

const mini = { MAKE_IT_FAST_LESSONS: miniRoot }

/** The planted flaw, where V8 is certain to name it. @type {[lesson: string, section: string, named: RegExp][]} */
const planted = [
  ['1', 'Your code', /isRightPassword/],
  ['2', 'Your code', /server\.js:40/],
  ['3', 'Self time', /stringify/],
  ['4', 'Your code', /findByGenre|allMovies/],
  ['10', 'Self time', /playFutures/]
]

for (const [lesson, section, named] of planted) {
  test(`the profile of lesson ${lesson} names its flaw among the first three`, async (t) => {
    const { code, stdout, stderr, written } = await profile(t, [`lesson-${lesson}`, 'slow', '--seconds', '1'])
    assert.equal(code, 0, stderr)
    const lines = stdout.split('\n')
    const from = lines.findIndex((line) => line.startsWith(section))
    const rows = lines.slice(from).filter((line) => /^ *\S* *\d+\.\d %/.test(line.slice(11))).slice(0, 3)
    assert.ok(rows.some((row) => named.test(row)), `${named} is not among the first three of ${section}:\n${stdout}`)
    assert.deepEqual(
      written.map((name) => path.basename(name)).filter((name) => !/\.\d+\.cpuprofile$/.test(name)),
      ['slow-cpu.cpuprofile', 'slow-cpu.html', 'slow-cpu.json']
    )
    assert.match(stdout, /Report: .*slow-cpu\.html/)
  })
}

test('compared with the slow server, the function that went away leads the table', async (t) => {
  const { code, stdout, stderr, written } = await profile(t, ['lesson-4', 'solution', '--compare', '--seconds', '1'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Changed[\s\S]*−/)
  assert.deepEqual(
    written.map((name) => path.basename(name)),
    ['cpuprofile', 'html', 'json'].map((ending) => `solution-cpu-compared.${ending}`)
  )
})

test('wrong answers are profiled, and said', async (t) => {
  const wrong =
    'import http from "node:http"\n' +
      'http.createServer((req, res) => { res.end("{}") }).listen(process.env.PORT, process.env.HOST)'
  const { code, stdout, stderr } = await profile(t, ['mini', '--server', submission(t, wrong), '--seconds', '1'], {
    env: mini
  })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Wrong {6}\S/)
})

test('every worker and every process has its own profile', async (t) => {
  const source = `
import cluster from 'node:cluster'
import http from 'node:http'
import { isMainThread, Worker } from 'node:worker_threads'
if (!isMainThread) setInterval(() => {}, 1000)
else if (cluster.isPrimary) { cluster.fork(); cluster.fork(); new Worker(new URL(import.meta.url)) }
else {
  http.createServer((req, res) => {
    const n = Number(req.url.slice(1))
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify({ next: n + 1 }))
  }).listen(process.env.PORT, process.env.HOST)
}`
  const { code, stdout, stderr, written } = await profile(
    t,
    ['mini', '--server', submission(t, source), '--seconds', '1'],
    { env: mini }
  )
  assert.equal(code, 0, stderr)
  assert.equal(written.filter((name) => name.endsWith('.cpuprofile')).length, 4, stdout)
  assert.match(stdout, /Threads[\s\S]*main thread of process \d+/)
})

test(
  'Ctrl-C stops it, and everything that it started',
  { skip: process.platform === 'win32' && 'no signals' },
  async (t) => {
    const { code, stderr } = await profile(t, ['lesson-4', 'slow', '--seconds', '30'], {
      started: (child) => child.stdout.on('data', () => setTimeout(() => signalChild(child, 'SIGINT'), 1500))
    })
    assert.equal(code, 130)
    assert.equal(stderr, '')
  }
)

for (const [tool, file, said] of /** @type {[string, string, RegExp][]} */ ([
  ['prof', 'slow-prof.txt', /Bottom up[^]*Reading/],
  ['doctor', 'slow-doctor.html', /It shows/],
  ['flame', 'slow-flame.html', /It shows/],
  ['bubbleprof', 'slow-bubbleprof.html', /It shows/],
  ['heapprofiler', 'slow-heapprofiler.html', /It shows/]
])) {
  test(`--tool ${tool} records, and says what it shows`, async (t) => {
    const { code, stdout, stderr, written } = await profile(t, ['mini', 'slow', '--tool', tool, '--seconds', '1'], {
      env: mini
    })
    assert.equal(code, 0, stderr)
    assert.match(stdout, said)
    assert.deepEqual(written.map((name) => path.basename(name)), [file])
  })
}
