import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { root as miniRoot, submission } from '../check/mini.js'
import { cli, runCommand, runNode } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'

/** @param {import('node:test').TestContext} t */
function miniIn (t) {
  // A space, as in many a home folder.
  const workspace = temporaryFolder(t, 'mif workspace ')
  return {
    env: { ...process.env, MAKE_IT_FAST_LESSONS: miniRoot, MAKE_IT_FAST_WORKSPACE: workspace, NO_COLOR: '1' },
    reports: path.join(workspace, 'profiles')
  }
}

test('a CPU profile names the place where the time goes, and is kept with its page', async (t) => {
  const { env, reports } = miniIn(t)
  const { code, stdout, stderr } = await runNode([cli, 'profile', 'mini', 'slow', '--seconds', '0.5', '--all'], { env })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\nYour code .+\n.+\n +\d+\.\d % .+server\.js:7\n/)
  assert.match(stdout, /Report: .*slow-cpu\.html\nAlso: .*slow-cpu\.cpuprofile/)
  const [folder] = fs.readdirSync(reports)
  assert.deepEqual(fs.readdirSync(path.join(reports, folder)).sort(), [
    'slow-cpu.cpuprofile', 'slow-cpu.html', 'slow-cpu.json'
  ])
})

test('a trace tells of the event loop over time, and is kept with its page', async (t) => {
  const { env, reports } = miniIn(t)
  const { code, stdout, stderr } =
    await runCommand(['profile', 'mini', 'slow', '--tool', 'trace', '--seconds', '0.5'], { env })
  assert.equal(code, 0, stderr)
  for (const title of ['Reading', 'Over time', 'Event loop', 'Memory']) assert.ok(stdout.includes(`\n${title} `), title)
  const [folder] = fs.readdirSync(reports)
  const kept = JSON.parse(fs.readFileSync(path.join(reports, folder, 'slow-trace.json'), 'utf8'))
  assert.deepEqual([kept.load, kept.recording.threads.length], ['add', 1])
  assert.ok(kept.recording.threads[0].points.length > 1)
  assert.match(fs.readFileSync(path.join(reports, folder, 'slow-trace.html'), 'utf8'), /Mini: the slow server/)
})

test('a server that does not start is told of in a sentence, and no report is written', async (t) => {
  const { env, reports } = miniIn(t)
  const { code, stderr } = await runCommand(['profile', 'mini', '--server', submission(t, 'syntax error')], { env })
  assert.equal(code, 3)
  assert.match(stderr, /^The server didn’t start/)
  assert.doesNotMatch(stderr, /runner\//)
  assert.equal(fs.existsSync(reports), false)
})

for (const [what, args, sentence] of /** @type {[string, string[], RegExp][]} */ ([
  ['an unknown tool', ['1', 'slow', '--tool', 'gdb'], /There is no tool “gdb”; there are cpu, heap/],
  ['a comparison that the tool cannot make', ['1', 'slow', '--tool', 'prof', '--compare'],
    /--compare goes with the tools? cpu/],
  ['an unknown load', ['1', 'slow', '--load', 'rain'], /no load called rain; it has login/],
  ['an invalid time', ['1', 'slow', '--seconds', 'long'], /--seconds takes a number/],
  ['a lesson without a server', ['7'], /about load\.js/],
  ['an unknown server', ['1', 'best'], /isn’t slow, mine or solution/]
])) {
  test(`${what} is one sentence`, async (t) => {
    const { env: { MAKE_IT_FAST_LESSONS: _, ...env }, reports } = miniIn(t)
    const { code, stdout, stderr } = await runCommand(['profile', ...args], { env })
    assert.deepEqual([code, stdout], [3, ''])
    assert.match(stderr, sentence)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
    assert.equal(fs.existsSync(reports), false)
  })
}
