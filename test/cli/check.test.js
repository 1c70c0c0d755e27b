import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { root, solution, submission, variant } from '../check/mini.js'
import { findLeftovers } from '../leftovers.js'
import { cli, endAt, runCommand, runNode } from './run.js'
import { temporaryFolder } from '../temporary.js'
import { assertValid } from '../valid-record.js'

/**
 * The commands that start a lesson's servers, with the tests' own lesson. What Ctrl-C and SIGKILL leave behind at other
 * moments is in check.load.test.js.
 *
 * @import { RunOptions } from './run.js'
 */

const broken = variant({ handler: 'return res.end("{}")' })

/** @param {string[]} args @param {Omit<RunOptions, 'env'> & { workspace?: string }} [options] */
function run (args, { workspace = path.join(root, 'nowhere'), ...options } = {}) {
  return runCommand(args, { env: envFor(workspace), ...options })
}

/** @param {string} workspace */
function envFor (workspace) {
  return { ...process.env, MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: workspace }
}

test('a measured check of the learner’s new copy: a record alone on standard output, plain lines on the other',
  async (t) => {
    const workspace = temporaryFolder(t)
    const { code, stdout, stderr } = await runNode([cli, 'check', 'lesson-1', '--json'], { env: envFor(workspace) })
    assert.equal(code, 1)
    const record = JSON.parse(stdout)
    assertValid(record)
    // The slow server is known after one round.
    assert.match(record.reason, /^This is the slow server, unchanged/)
    assert.deepEqual([record.verdict, record.rounds.length, record.contract.length], ['fail', 1, 0])
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(stderr, /[\x00-\x09\x0b-\x1f\x7f]/)
    assert.match(stderr, /^Your copy of the slow server is in .*01-mini: change it there\.\n[^]*^rounds: [^]*FAIL/m)
    assert.deepEqual(fs.readdirSync(workspace), ['01-mini', 'progress.json', 'results'])
  })

test('check all --json prints a list of records in which no letter harms a terminal, and a table', async (t) => {
  const folder = temporaryFolder(t)
  const hostile = variant({ handler: 'throw new Error("a bell \\u0007, an arrow \\u202e, an escape \\u009b31m")' })
  fs.renameSync(submission(t, hostile), path.join(folder, '01-mini'))
  const { code, stdout, stderr } = await run(['check', 'all', '--json', '--server', folder])
  assert.equal(code, 1)
  assert.doesNotMatch(stdout, /[^\P{C}\n]/u)
  assert.match(stdout, /\\u202e/)
  const records = JSON.parse(stdout)
  assert.equal(records.length, 1)
  assertValid(records[0])
  assert.match(stderr, /Mini.*fail/)
})

test('--no-speed looks at answers alone, and keeps nothing; one lesson is found in a folder of folders', async (t) => {
  const workspace = temporaryFolder(t)
  const right = await run(['check', 'mini', '--no-speed', '--server', path.dirname(solution)], { workspace })
  assert.equal(right.code, 2, right.stderr)
  assert.match(right.stdout, /^✓ RIGHT {2}Lesson 1/m)
  assert.match(right.stdout, /Every answer is right\. Its speed wasn’t measured\./)
  assert.deepEqual(fs.readdirSync(workspace), [])
})

test('the result is kept, and the learner’s copy is never overwritten', async (t) => {
  const workspace = temporaryFolder(t)
  const file = path.join(workspace, '01-mini', 'server.js')
  fs.mkdirSync(path.dirname(file))
  fs.writeFileSync(file, broken)
  assert.equal((await run(['check', '01'], { workspace })).code, 1)
  assert.equal(fs.readFileSync(file, 'utf8'), broken)
  const kept = path.join(workspace, 'results', '01-mini.json')
  assert.equal(JSON.parse(fs.readFileSync(kept, 'utf8')).verdict, 'fail')
})

test('bad input gets one sentence and exit code 3', async (t) => {
  const empty = temporaryFolder(t)
  const file = path.join(empty, 'file')
  fs.writeFileSync(file, '')
  const ofAll = /There is no .*01-mini\. With `all`, --server names a folder that holds one folder for each lesson/
  for (const [args, sentence] of new Map([
    [['check'], /^Say which lesson, one at a time: npm run check lesson-N/],
    [['check', '1', '2'], /^Say which lesson, one at a time/],
    [['check', 'lesson-99'], /lesson-99/],
    [['check', 'mimi'], /mini/],
    [['check', '1', '--fast'], /--fast/],
    [['check', '1', '--seconds', '0'], /^--seconds takes a whole number from 1 to 600, got 0\.\n$/],
    [['check', '1', '--server', path.join(empty, 'nowhere')], /^There is no folder .*nowhere/],
    [['check', '1', '--server', empty], /^There is no server\.js in/],
    [['check', 'all', '--server', empty], ofAll],
    [['check', '1'], /workspace/],
    [['bench', '1', 'fastest'], /“fastest” isn’t slow, mine or solution/],
    [['bench', '1', 'slow', '--seconds', 'ten'], /--seconds takes a whole number from 1 to 600, got ten/],
    [['bench', '1', 'slow', '--load', 'none'], /no load called none; it has add/],
    [['serve', '1', 'slow', '--port', '0'], /--port takes a whole number/]
  ])) {
    const { code, stderr } = await run(args, { workspace: path.join(file, 'workspace') })
    assert.equal(code, 3, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, sentence)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

test('Ctrl-C ends a check with 130 and leaves nothing behind', async (t) => {
  const workspace = temporaryFolder(t)
  const before = findLeftovers()
  const ended = { workspace, onOutput: endAt(/^contract: /m) }
  const { code, stdout } = await run(['check', '1', '--no-speed'], ended)
  assert.equal(code, 130, stdout)
  assert.match(stdout, /\nStopped\. Nothing is left running, and no result of lesson 1 was written\.\n$/)
  assert.deepEqual(findLeftovers().filter((leftover) => !before.includes(leftover)), [])
  assert.deepEqual(fs.readdirSync(workspace), ['01-mini', 'progress.json'])
})

test('bench prints autocannon’s table and says whether the answers were right', async (t) => {
  const failing = submission(t, variant({ handler: 'res.statusCode = 500' }))
  const args = ['bench', '1', '--seconds', '1', '--server', failing]
  const { code, stdout } = await runNode([cli, ...args], { env: envFor(temporaryFolder(t)) })
  assert.equal(code, 1)
  // autocannon writes its table with lines and letters that only its own tests should know.
  assert.match(stdout, /Latency[^]*Req\/Sec[^]*\n(\d+) of \1 answers were wrong: GET \/\d+: expected .+ got 500/)
})
