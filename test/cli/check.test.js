import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { root, solution, slow, submission, variant } from '../check/mini.js'
import { findLeftovers } from '../leftovers.js'
import { cli, runNode } from './run.js'
import { signalChild } from '../../runner/system/index.js'
import { temporaryFolder } from '../temporary.js'
import { until } from '../until.js'
import { assertValid } from '../valid-record.js'

/** @import { ResultRecord } from '../../runner/judge/index.js' */

const broken = variant({ handler: 'return res.end("{}")' })
const signals = { skip: process.platform === 'win32' }
const linux = { skip: process.platform !== 'linux' }

/**
 * Runs a command of the workshop whose only lesson is the tests' own.
 *
 * @param {string[]} args
 * @param {object} [options]
 * @param {string} [options.workspace]
 * @param {(line: string, child: import('node:child_process').ChildProcess) => void} [options.onLine]
 */
function run (args, { workspace = path.join(os.tmpdir(), 'mif-none'), onLine } = {}) {
  // A busy machine would use all the time that there is.
  const brief = args[0] === 'check' && !args.includes('--seconds') ? ['--seconds', '4'] : []
  return runNode([cli, ...args, ...brief], {
    env: { ...process.env, MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: workspace },
    started: (child) =>
      child.stdout.on('data', (chunk) => String(chunk).split('\n').forEach((line) => onLine?.(line, child)))
  })
}

test('the slow server exits 1 or 2 and the solution 0 or 2, never the other way round', async () => {
  const [bad, good] = [
    await run(['check', '1', '--server', slow]),
    await run(['check', 'lesson-1', '--server', solution])
  ]
  assert.ok(bad.code === 1 || bad.code === 2, bad.stdout + bad.stderr)
  assert.ok(good.code === 0 || good.code === 2, good.stdout + good.stderr)
  assert.match(good.stdout, /PASS|INCONCLUSIVE/)
})

test('without a terminal there are plain lines and no control codes', async () => {
  const { stdout } = await run(['check', 'mini', '--server', solution])
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(stdout, /[\x00-\x09\x0b-\x1f\x7f]/)
  assert.match(stdout, /^contract: /m)
})

test('check all --json prints a list of records in which no letter harms a terminal', async (t) => {
  const folder = temporaryFolder(t)
  const hostile = variant({ handler: 'throw new Error("a bell \\u0007, an arrow \\u202e, an escape \\u009b31m")' })
  fs.renameSync(submission(t, hostile), path.join(folder, '01-mini'))
  const { stdout } = await run(['check', 'all', '--json', '--server', folder])
  assert.doesNotMatch(stdout, /[^\P{C}\n]/u)
  assert.match(stdout, /\\u202e/)
  /** @type {ResultRecord[]} */
  const records = JSON.parse(stdout)
  assert.equal(records.length, 1)
  assertValid(records[0])
})

test('--no-speed looks at answers alone, and keeps nothing', async (t) => {
  const workspace = temporaryFolder(t)
  const solution = path.join(root, 'solutions', '01-mini')
  const right = await run(['check', 'mini', '--no-speed', '--server', solution], { workspace })
  assert.equal(right.code, 2, right.stderr)
  assert.match(right.stdout, /^✓ RIGHT {2}Lesson 1/m)
  assert.match(right.stdout, /Every answer is right\. Its speed wasn’t measured\./)
  const wrong = await run(['check', 'mini', '--no-speed', '--server', submission(t, broken)], { workspace })
  assert.equal(wrong.code, 1)
  const copy = await run(['check', 'mini', '--no-speed'], { workspace })
  assert.equal(copy.code, 2)
  assert.match(copy.stdout, /This is the starting point: the slow server, unchanged\./)
  assert.deepEqual(fs.readdirSync(workspace), ['01-mini', 'progress.json'])
})

test('--json gives one valid record on standard output and the rest on standard error', async (t) => {
  const { code, stdout, stderr } = await run(['check', 'mini', '--json', '--server', submission(t, broken)])
  assert.equal(code, 1)
  /** @type {ResultRecord} */
  const record = JSON.parse(stdout)
  assertValid(record)
  assert.equal(record.verdict, 'fail')
  assert.match(stderr, /FAIL/)
})

test('the first check makes the learner’s copy and keeps the result; the copy is never overwritten', async (t) => {
  const workspace = temporaryFolder(t)
  const first = await run(['check', '01'], { workspace })
  assert.match(first.stdout, /Your copy of the slow server is in .*01-mini: change it there/)
  const file = path.join(workspace, '01-mini', 'server.js')
  fs.writeFileSync(file, broken)
  const second = await run(['check', '01'], { workspace })
  assert.equal(second.code, 1)
  assert.equal(fs.readFileSync(file, 'utf8'), broken)
  const kept = JSON.parse(fs.readFileSync(path.join(workspace, 'results', '01-mini.json'), 'utf8'))
  assert.equal(kept.verdict, 'fail')
  assert.match((await run(['list'], { workspace })).stdout, /Mini/)
})

test('a result that can’t be kept is reported, and the verdict holds', async (t) => {
  const workspace = temporaryFolder(t)
  fs.mkdirSync(path.join(workspace, '01-mini'))
  fs.writeFileSync(path.join(workspace, '01-mini', 'server.js'), broken)
  // A file where the folder should be: it can’t be written, even by root.
  fs.writeFileSync(path.join(workspace, 'results'), '')
  const { code, stdout, stderr } = await run(['check', '1'], { workspace })
  assert.equal(code, 1)
  assert.match(stdout + stderr, /This result was not saved: /)
})

test('check all grades every lesson and ends with a table', async (t) => {
  const { code, stdout } = await run(['check', 'all', '--server', path.join(root, 'solutions')])
  assert.ok(code === 0 || code === 2)
  assert.match(stdout, /Mini.*(pass|inconclusive)/)
  const missing = await run(['check', 'all', '--server', submission(t, broken)])
  assert.equal(missing.code, 3)
  assert.match(
    missing.stderr,
    /There is no .*01-mini\. With `all`, --server names a folder that holds one folder for each lesson/
  )
})

test('--server takes a folder of folders for one lesson, too', async (t) => {
  const parent = temporaryFolder(t)
  fs.cpSync(submission(t, broken), path.join(parent, '01-mini'), { recursive: true })
  const { code, stdout } = await run(['check', '1', '--server', parent])
  assert.equal(code, 1)
  assert.match(stdout, /01-mini/)
})

test('--seconds says how long the rounds may take', async () => {
  const { stdout } = await run(['check', 'mini', '--json', '--seconds', '1', '--server', slow])
  /** @type {ResultRecord} */
  const record = JSON.parse(stdout)
  assert.ok(record.rounds.length >= 1 && record.rounds.length < 20, `${record.rounds.length} rounds`)
  const wrong = await run(['check', 'mini', '--seconds', '0'])
  assert.deepEqual([wrong.code, wrong.stderr], [3, '--seconds takes a whole number from 1 to 600, got 0.\n'])
})

test('bad input gets one sentence and exit code 3', async (t) => {
  const empty = temporaryFolder(t)
  for (const [args, sentence] of new Map([
    [['check'], /^Say which lesson, one at a time: npm run check lesson-N/],
    [['check', '1', '2'], /^Say which lesson, one at a time/],
    [['check', 'lesson-99'], /lesson-99/],
    [['check', 'mimi'], /mini/],
    [['check', '1', '--fast'], /--fast/],
    [['check', '1', '--server', path.join(empty, 'nowhere')], /^There is no folder .*nowhere/],
    [['check', '1', '--server', empty], /^There is no server\.js in/],
    [['bench', '1', 'fastest'], /“fastest” isn’t slow, mine or solution/],
    [['bench', '1', 'slow', '--seconds', 'ten'], /--seconds takes a whole number from 1 to 600, got ten/],
    [['bench', '1', 'slow', '--load', 'none'], /no load called none; it has add/],
    [['serve', '1', 'slow', '--port', '0'], /--port takes a whole number/]
  ])) {
    const { code, stderr } = await run(args)
    assert.equal(code, 3, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, sentence)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

test('a workspace that cannot be written is named', async (t) => {
  const file = path.join(temporaryFolder(t), 'file')
  fs.writeFileSync(file, '')
  const { code, stderr } = await run(['check', '1'], { workspace: path.join(file, 'workspace') })
  assert.equal(code, 3)
  assert.match(stderr, /workspace/)
  assert.doesNotMatch(stderr, /\n\s+at /)
})

for (const when of ['contract: ', 'rounds: ', 'after: ']) {
  test(`Ctrl-C after “${when.trim()}” exits 130 and leaves nothing behind`, signals, async (t) => {
    const workspace = temporaryFolder(t)
    const before = findLeftovers()
    const { code, stdout } = await run(['check', '1'], {
      workspace,
      onLine: (line, child) => { if (line.startsWith(when)) signalChild(child, 'SIGINT') }
    })
    if (stdout.includes('FAIL') || stdout.includes('INCONCLUSIVE')) {
      return t.skip('the check was faster than the signal')
    }
    assert.equal(code, 130, stdout)
    assert.match(stdout, /\nStopped\. Nothing is left running, and no result of lesson 1 was written\.\n$/)
    assert.deepEqual(findLeftovers().filter((leftover) => !before.includes(leftover)), [])
    assert.deepEqual(fs.readdirSync(workspace), ['01-mini', 'progress.json'])
  })
}

test('a check that is killed takes its servers and its temporary folder with it', linux, async (t) => {
  const workspace = temporaryFolder(t)
  const before = findLeftovers()
  await run(['check', '1'], {
    workspace,
    onLine: (line, child) => { if (line.startsWith('rounds: ')) signalChild(child, 'SIGKILL') }
  })
  // The guard needs a moment (test/session/guard/ tries this at many moments).
  const left = () => findLeftovers().filter((leftover) => !before.includes(leftover))
  await until(() => left().length === 0)
})

test('bench prints autocannon’s table and says whether the answers were right', async (t) => {
  const good = await run(['bench', '1', 'solution', '--seconds', '1'])
  assert.equal(good.code, 0, good.stderr)
  // autocannon writes its table with lines and letters that only its own tests should know.
  assert.match(good.stdout, /Latency[^]*Req\/Sec[^]*All \d+ answers were right\./)
  const failing = submission(t, variant({ handler: 'res.statusCode = 500' }))
  const bad = await run(['bench', '1', '--seconds', '1', '--server', failing])
  assert.equal(bad.code, 1)
  assert.match(bad.stdout, /(\d+) of \1 answers were wrong: GET \/\d+: expected status 200, got 500/)
})

test('serve starts a server with the lesson’s data until Ctrl-C', signals, async () => {
  /** @type {Promise<any> | undefined} */
  let asked
  const { code, stdout } = await run(['serve', '1', 'solution'], {
    onLine: (line, child) => {
      const url = /curl -i "(.*)"/.exec(line)?.[1]
      if (url) asked = fetch(url).then((res) => res.json()).finally(() => signalChild(child, 'SIGINT'))
    }
  })
  assert.equal(code, 130, stdout)
  assert.match((await asked).secret, /^[a-z]{12}$/)
})

test('serve says when the server ends by itself', async (t) => {
  const ending = submission(t, variant({ before: 'setTimeout(() => process.exit(4), 300)' }))
  const { code, stderr } = await run(['serve', '1', '--server', ending])
  assert.equal(code, 3)
  assert.match(stderr, /The server ended with exit code 4/)
})

test('doctor looks at the machine and measures two identical servers', async (t) => {
  const { code, stdout } = await run(['doctor'], { workspace: temporaryFolder(t) })
  assert.ok(code === 0 || code === 2, stdout)
  assert.match(stdout, /cores/)
  assert.match(stdout, /They measure [\d.]+× at the median, ±[\d.]+ % from round to round, in \d+ rounds/)
})
