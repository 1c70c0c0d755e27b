import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { passed } from '../report/records.js'
import { cli, runCommand, runNode } from './run.js'
import { removeFolder } from '../temporary.js'

test('list shows every lesson and what to do next', async (t) => {
  const root = await makeRepository(t)
  const { stdout, ...rest } = await runNode([cli, 'list'], { env: { ...envFor(root), NO_COLOR: '1' }, cwd: root })
  assert.deepEqual(rest, { code: 0, signal: null, stderr: '' })
  for (const id of ['sync-login', 'in-memory-json', 'overload']) assert.ok(stdout.includes(`Title of ${id}`), stdout)
  assert.match(stdout, /\n\nNext: npm run read lesson-1\nThen: npm run watch lesson-1\n$/)
})

test('list follows the learner: first what was begun, then the next lesson, then praise', async (t) => {
  const root = await makeRepository(t)
  await writeResult(root, '12-overload', { verdict: 'fail', startedAt: '2026-11-20T10:00:00.000Z' })
  await writeResult(root, '03-in-memory-json', { verdict: 'inconclusive', startedAt: '2026-11-21T10:00:00.000Z' })
  assert.match(
    (await runIn(root, 'list')).stdout,
    /Next: npm run watch lesson-3\nStuck\? npm run hint lesson-3\n$/
  )
  await writeResult(root, '03-in-memory-json.best', { verdict: 'pass' })
  assert.match((await runIn(root, 'list')).stdout, /Next: npm run watch lesson-12\n/)
  await writeResult(root, '12-overload.best', { verdict: 'pass' })
  assert.match((await runIn(root, 'list')).stdout, /Next: npm run read lesson-1\n/)
  await writeResult(root, '01-sync-login.best', { verdict: 'pass' })
  assert.match((await runIn(root, 'list')).stdout, /You have passed all 3 lessons\.\n$/)
})

test('a result file that makes no sense, or a broken lesson, does not hide the others', async (t) => {
  const root = await makeRepository(t, {
    'lessons/12-overload/lesson.js': 'export default {',
    'workspace/results/03-in-memory-json.json': '{"version":1,'
  })
  const { code, stdout, stderr } = await runIn(root, 'list')
  assert.equal(code, 0)
  for (const title of ['Title of sync-login', 'Title of in-memory-json', 'overload']) assert.ok(stdout.includes(title))
  assert.match(stderr, /03-in-memory-json\.json cannot be read: `npm run check lesson-3` makes a new one\./)
  assert.match(stderr, /12-overload.lesson\.js cannot be imported/)
})

test('list in a folder without lessons is one sentence', async (t) => {
  const root = await makeRepository(t)
  removeFolder(path.join(root, 'lessons'))
  const { code, stdout, stderr } = await runIn(root, 'list')
  assert.deepEqual({ code, stdout }, { code: 3, stdout: '' })
  assert.match(stderr, /^The folder .+lessons cannot be read \(ENOENT\): .+\n$/)
})

test('hint shows one more hint each time, then says that there is no other', async (t) => {
  const root = await makeRepository(t)
  const first = await runIn(root, 'hint', 'lesson-3')
  assert.equal(first.code, 0)
  assert.match(
    first.stdout,
    /^Hint 1 of 3 · lesson 3 \(in-memory-json\)\n\nFirst hint of in-memory-json\.\n\nStill stuck\?/
  )
  assert.match((await runIn(root, 'hint', '3')).stdout, /^Hint 2 of 3/)
  const last = await runIn(root, 'hint', 'in-memory-json')
  assert.match(last.stdout, /^Hint 3 of 3/)
  assert.doesNotMatch(last.stdout, /Still stuck/)
  const { code, stdout } = await runIn(root, 'hint', 'lesson-3')
  assert.equal(code, 0)
  assert.match(stdout, /^You have seen all 3 hints of lesson 3.+\nAgain: npm run hint lesson-3 -- --all\n/)
  assert.match((await runIn(root, 'hint', '1')).stdout, /^Hint 1 of 3 · lesson 1 /)
})

test('hint --again repeats the last hint, hint --all shows every one', async (t) => {
  const root = await makeRepository(t)
  assert.match((await runIn(root, 'hint', '3', '--again')).stdout, /^Hint 1 of 3/)
  await runIn(root, 'hint', '3')
  assert.match((await runIn(root, 'hint', '3', '--again')).stdout, /^Hint 2 of 3/)
  assert.match((await runIn(root, 'hint', '3')).stdout, /^Hint 3 of 3/)
  const { stdout } = await runIn(root, 'hint', '3', '--all')
  assert.deepEqual(stdout.match(/^Hint \d/gm), ['Hint 1', 'Hint 2', 'Hint 3'])
})

test('a hint is shown also where it cannot be remembered', async (t) => {
  const root = await makeRepository(t, { workspace: 'a file where the folder should be' })
  const { code, stdout, stderr } = await runIn(root, 'hint', '3')
  assert.equal(code, 0)
  assert.match(stdout, /First hint/)
  assert.match(stderr, /^This hint will be shown again next time\. There is a file where the folder /)
})

for (const command of ['hint', 'reset']) {
  test(`${command} without a lesson, or with one that is not there, is one sentence`, async (t) => {
    const root = await makeRepository(t)
    const nothing = await runIn(root, command)
    assert.deepEqual({ code: nothing.code, stdout: nothing.stdout }, { code: 3, stdout: '' })
    assert.match(nothing.stderr, /^Say which lesson, for example lesson-1: `npm run list` shows them all\.\n$/)
    const wrong = await runIn(root, command, 'lesson-4')
    assert.equal(wrong.code, 3)
    assert.match(wrong.stderr, /^There is no lesson "lesson-4": the lessons are 1 to 12\. .+\n$/)
  })
}

test('reset keeps the old copy and says where', async (t) => {
  const root = await makeRepository(t)
  const copy = path.join(root, 'workspace', '03-in-memory-json')
  await mkdir(copy, { recursive: true })
  await writeFile(path.join(copy, 'server.js'), '// mine\n')
  const { code, stdout, stderr } = await runIn(root, 'reset', 'lesson-3')
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  const [backup] = await readdir(path.join(root, 'workspace', 'backups'))
  assert.match(backup, /^03-in-memory-json-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/)
  assert.equal(stdout, `Your old copy is kept in ${path.join('workspace', 'backups', backup)}\n` +
    `Your fresh copy is in ${path.join('workspace', '03-in-memory-json')}\n`)
  assert.equal(await readFile(path.join(root, 'workspace', 'backups', backup, 'server.js'), 'utf8'), '// mine\n')
  assert.equal(await readFile(path.join(copy, 'server.js'), 'utf8'), '// the slow server of in-memory-json\n')
})

test('reset of a lesson that was never begun says so, and begins nothing', async (t) => {
  const root = await makeRepository(t)
  for (const flags of [[], ['--keep']]) {
    const { code, stdout } = await runIn(root, 'reset', '3', ...flags)
    assert.deepEqual({ code, stdout },
      { code: 0, stdout: 'You haven’t begun lesson-3, so there’s nothing to reset: npm run watch lesson-3\n' })
    assert.equal(existsSync(path.join(root, 'workspace')), false)
  }
})

/** @param {string} root @param {string[]} args */
function runIn (root, ...args) {
  return runCommand(args, { env: { ...envFor(root), NO_COLOR: '1' }, cwd: root })
}

/** @param {string} root @param {string} name @param {{ verdict: string, startedAt?: string }} given */
async function writeResult (root, name, { verdict, startedAt = '2026-11-21T10:33:05.000Z' }) {
  const file = path.join(root, 'workspace', 'results', `${name}.json`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ ...passed(), verdict, startedAt }))
}
