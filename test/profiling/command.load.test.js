import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { signalChild } from '../../runner/process/index.js'
import { reportFiles } from '../../runner/profiling/profile-files.js'
import { run } from '../../runner/profiling/tools/heap.js'
import { root as miniRoot, submission } from '../check/mini.js'
import { cli, runNode } from '../cli/run.js'
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

/** @param {string[]} written */
const names = (written) => written.map((name) => path.basename(name))
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
    const { code, stdout, stderr } = await profile(t, [`lesson-${lesson}`, 'slow', '--seconds', '1'])
    assert.equal(code, 0, stderr)
    const lines = stdout.split('\n')
    const from = lines.findIndex((line) => line.startsWith(section))
    const rows = lines.slice(from).filter((line) => /^ *\S* *\d+\.\d %/.test(line.slice(11))).slice(0, 3)
    assert.ok(rows.some((row) => named.test(row)), `${named} is not among the first three of ${section}:\n${stdout}`)
  })
}

test('compared with the slow server, the function that went away leads the table', async (t) => {
  const { code, stdout, stderr, written } = await profile(t, ['lesson-4', 'solution', '--compare', '--seconds', '1'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Changed[\s\S]*−/)
  assert.deepEqual(
    names(written),
    ['cpuprofile', 'html', 'json'].map((ending) => `solution-cpu-compared.${ending}`)
  )
})

/** A server for lesson 1 whose logins keep the thread busy, and whose health check does, too. */
const healthCostsToo = `import http from 'node:http'
function login () { for (const until = performance.now() + 2; performance.now() < until;); }
function health () { login() }
http.createServer((req, res) => {
  if (req.url === '/healthz') health()
  else login()
  res.end()
}).listen(process.env.PORT, process.env.HOST)
`

test('only the judged load is sent: what is requested meanwhile is not what a profile names', async (t) => {
  const { code, stdout, stderr } = await profile(t, ['1', '--server', submission(t, healthCostsToo), '--seconds', '1'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\blogin\b/)
  assert.doesNotMatch(stdout, /\bhealth\b/)
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

for (const [tool, ending, said] of /** @type {[string, string, RegExp][]} */ ([
  ['prof', 'txt', /Ticks[^]*Bottom up/],
  ['doctor', 'html', /It shows/],
  ['flame', 'html', /It shows/],
  ['bubbleprof', 'html', /It shows/],
  ['heapprofiler', 'html', /It shows/]
])) {
  test(`--tool ${tool} records, and says what it shows`, async (t) => {
    const { code, stdout, stderr, written } = await profile(t, ['mini', 'slow', '--tool', tool, '--seconds', '1'], {
      env: mini
    })
    assert.equal(code, 0, stderr)
    assert.match(stdout, said)
    assert.deepEqual(names(written), [`slow-${tool}.${ending}`])
  })
}

test('--tool heap names the listeners that pile up, and keeps what DevTools opens', async (t) => {
  const { code, stdout, stderr, written, workspace } =
    await profile(t, ['lesson-2', 'slow', '--tool', 'heap', '--seconds', '1'])
  assert.equal(code, 0, stderr)
  const text = stdout.replace(/\s+/g, ' ')
  assert.match(text, /server\._events\.after.? \(Array\), server\.js:14/)
  assert.match(text, /\.after \(Array\) (→|->) \[\d+\] function at server\.js:40/)
  const endings = ['after.heapsnapshot', 'before.heapsnapshot', 'heapprofile', 'html']
  assert.deepEqual(names(written), endings.map((ending) => `slow-heap.${ending}`))
  for (const name of written) {
    const content = fs.readFileSync(path.join(workspace, 'profiles', name), 'utf8')
    if (name.endsWith('.html')) assert.match(content, /Held by/)
    else JSON.parse(content)
  }
})

test('a heap snapshot that can’t be written, and a run that is stopped, leave nothing', async (t) => {
  const folder = temporaryFolder(t)
  const entry = await loadLesson(await resolveLesson('2', { env: {} }))
  const files = (/** @type {string} */ dir) => reportFiles({ folder: dir, stem: 'slow-heap' })
  const record = (/** @type {object} */ given, signal = new AbortController().signal) => run({
    target: { entry, dir: entry.slowDir, loadName: 'seed', seed: 'heap', signal },
    which: 'the slow server',
    title: 'Lesson 2',
    compareWith: null,
    seconds: 1,
    files: files(folder),
    say: () => {},
    ...given
  })
  const nowhere = { ...files(folder), name: (/** @type {string} */ ending) => path.join(folder, 'missing', ending) }
  await assert.rejects(record({ files: nowhere }), {
    name: 'WorkshopError', message: /^The first heap snapshot was not written to .* is there room/
  })
  const stop = new AbortController()
  const say = (/** @type {string} */ text) => { if (text.startsWith('Second')) stop.abort() }
  await assert.rejects(record({ say }, stop.signal))
  assert.deepEqual(fs.readdirSync(folder), [])
})
