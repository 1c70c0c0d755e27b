import assert from 'node:assert/strict'
import { mkdir, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { resolveLesson } from '../../runner/lesson/index.js'
import { notYet, openCopy } from '../../runner/workspace/index.js'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { passed } from '../report/records.js'
import { runCommand } from './run.js'

/** What a learner reads and compares between two checks. */

const solution = {
  'lessons/03-in-memory-json/README.md': '# Lesson 3\n\nRead *me*.\n',
  'solutions/03-in-memory-json/server.js': '// the solution of in-memory-json\n',
  'solutions/03-in-memory-json/README.md': '# Why it is faster\n\nBecause.\n'
}

test('read shows the text of a lesson', async (t) => {
  const root = await makeRepository(t, solution)
  const { code, stdout, stderr } = await runIn(root, 'read', '3')
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '# Lesson 3\n\nRead *me*.\n', stderr: '' })
  const missing = await runIn(root, 'read', '12')
  assert.equal(missing.code, 3)
  assert.match(missing.stderr, /^lessons.12-overload.README\.md cannot be read \(ENOENT\): `git checkout .+\n$/)
})

test('read folds answers, and opens all of them or those of one section', async (t) => {
  const answer = (/** @type {string} */ word) => `<details><summary>Answers</summary>\n\n${word}\n\n</details>\n\n`
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/README.md': `# L\n\n## 2. Predict\n\n${answer('This')}## 3. Find it\n\n${answer('That')}`
  })
  const read = async (/** @type {string[]} */ ...args) => await runIn(root, 'read', '3', ...args)
  const folded = (await read()).stdout
  assert.match(folded, /\*\*Answers\*\*, folded: `npm run read lesson-3 -- --answers 2`/)
  assert.doesNotMatch(folded, /This|That/)
  assert.match((await read('--answers')).stdout, /\*\*Answers\*\*\n\nThis\n[^]*\*\*Answers\*\*\n\nThat\n$/)
  assert.equal((await read('--answers', '3')).stdout, '## 3. Find it\n\n**Answers**\n\nThat\n')
  const { code, stderr } = await read('--answers', '7')
  assert.equal(code, 3)
  assert.equal(unwrapped(stderr), 'There is no section "7" here: there are 2 (Predict), 3 (Find it). ' +
    'All answers: `npm run read lesson-3 -- --answers`.')
  assert.match((await read('2')).stderr, /^One lesson at a time, got "2" as well\. [^]* --answers 2`\.\n$/)
})

test('diff before anything was changed says where the file is', async (t) => {
  const root = await makeRepository(t)
  assert.match((await runIn(root, 'diff', '3')).stdout, /^You don’t have a copy yet: `npm run check lesson-3` /)
  await begin(root, '3')
  const { code, stdout } = await runIn(root, 'diff', '3', 'slow')
  const file = path.join('workspace', '03-in-memory-json', 'server.js')
  assert.deepEqual({ code, text: unwrapped(stdout) },
    { code: 0, text: `You haven’t changed anything yet. Your file is \`${file}\`.` })
})

test('diff shows what was changed, added and deleted, and no control character', async (t) => {
  const root = await makeRepository(t)
  await begin(root, '3')
  const copy = path.join(root, 'workspace', '03-in-memory-json')
  await writeFile(path.join(copy, 'server.js'), '// mine \u001b[2J\n')
  await writeFile(path.join(copy, 'picture.png'), Buffer.from([0, 1, 2]))
  await writeFile(path.join(copy, 'large.log'), 'x'.repeat(300_000))
  await unlink(path.join(copy, 'lib', 'data.js'))
  await mkdir(path.join(copy, 'node_modules', 'left-out'), { recursive: true })
  await writeFile(path.join(copy, 'node_modules', 'left-out', 'index.js'), '')
  const { code, stdout } = await runIn(root, 'diff', '3')
  assert.equal(code, 0)
  const [changed, ...others] = stdout.trimEnd().split('\n\n')
  assert.deepEqual(changed.split('\n'), [
    `--- ${path.join('slow-servers', '03-in-memory-json', 'server.js')}`,
    `+++ ${path.join('workspace', '03-in-memory-json', 'server.js')}`,
    '@@ -1 +1 @@',
    '-// the slow server of in-memory-json',
    '+// mine \\u{1b}[2J'
  ])
  assert.match(others[0], /^--- \/dev\/null\n.+\nlarge\.log is too large to be shown \(293 kB\)\.$/)
  assert.match(others[1], /^--- \/dev\/null\n.+\npicture\.png is binary\.$/)
  assert.match(others[2], /data\.js\n\+\+\+ \/dev\/null\n@@ -1 \+0,0 @@\n-\/\/ its other file$/)
  assert.deepEqual(others.slice(3), ['1 file changed, 2 new, 1 deleted.'])
})

test('lines that end as Windows ends them are no change', async (t) => {
  const root = await makeRepository(t)
  await begin(root, '3')
  const file = path.join(root, 'workspace', '03-in-memory-json', 'server.js')
  await writeFile(file, '// the slow server of in-memory-json\r\n')
  assert.match((await runIn(root, 'diff', '3')).stdout, /^You haven’t changed anything yet/)
})

test('the solution is shown after a pass, or anyway', async (t) => {
  const root = await makeRepository(t, solution)
  await begin(root, '3')
  for (const words of [['solution', '3'], ['diff', '3', 'solution']]) {
    const { code, stdout } = await runIn(root, ...words)
    assert.equal(code, 0)
    assert.doesNotMatch(stdout, /the solution of|Because/)
    assert.ok(unwrapped(stdout).endsWith(`\`npm run ${words[0]} lesson-3${words[2] ? ' solution' : ''} -- --anyway\``))
    assert.match((await runIn(root, ...words, '--anyway')).stdout, /\/\/ the solution of in-memory-json\n/)
  }
  await mkdir(path.join(root, 'workspace', 'results'), { recursive: true })
  await writeFile(path.join(root, 'workspace', 'results', '03-in-memory-json.best.json'), JSON.stringify(passed()))
  const { stdout } = await runIn(root, 'solution', '3')
  assert.match(stdout, /\/\/ the solution of in-memory-json\n\n# Why it is faster\n\nBecause\.\n/)
  const compared = (await runIn(root, 'diff', '3', 'solution')).stdout
  assert.match(compared, /^--- workspace.+\n\+\+\+ solutions.+\n@@ -1 \+1 @@\n-.+slow server.+\n\+.+the solution/)
  assert.doesNotMatch(compared, /Because/)
})

test('who has not passed yet is told how far they are', () => {
  const gates = [{ verdict: 'pass' }, { verdict: 'fail' }, { verdict: 'dropped' }]
  /** @param {any} state @param {any} [last] */
  const say = (state, last, hints = 2) => {
    return notYet({ number: 3 }, { state, last, hints }, { command: 'npm run solution lesson-3', hints: 3 })
  }
  assert.equal(say('pass'), null)
  assert.match(String(say('not started')), /^You haven’t begun lesson 3 yet: .+ `npm run hint lesson-3`\. /)
  assert.equal(notYet({ number: 3 }, { state: 'started', last: undefined, hints: 0 }, { command: null, hints: 3 }),
    'Your copy of lesson 3 has no verdict yet. The next hint leads on and leaves the finding to you.')
  assert.match(String(say('started')), /^Your copy of lesson 3 has no verdict yet: `npm run check lesson-3`\./)
  assert.match(String(say('fail', { gates })), /last check failed, with 1 of 2 gates passed\./)
  assert.match(String(say('inconclusive', { gates: [] })), /last check was inconclusive\./)
  const open = { verdict: 'inconclusive', ratio: 3.9, interval95: [3.5, 4.4] }
  const last = /** @type {any} */ ({ gates: [open] })
  const inBrowser = notYet({ number: 3 }, { state: 'inconclusive', last, hints: 0 }, { command: null, hints: 3 })
  assert.match(String(inBrowser), /yet: probably not there yet in its last check, with 0 of 1 gates passed\./)
})

test('after the last hint, the way leads to the solution and not back to the hints', async (t) => {
  const root = await makeRepository(t, solution)
  for (let at = 0; at < 3; at++) await runIn(root, 'hint', '3')
  const hint = (await runIn(root, 'hint', '3')).stdout
  assert.match(hint, /The solution: npm run solution lesson-3 -- --anyway\n$/)
  const refusal = unwrapped((await runIn(root, 'solution', '3')).stdout)
  assert.match(refusal, /You have seen all 3 hints\./)
  assert.doesNotMatch(refusal, /npm run hint/)
})

test('next names the lesson that comes now', async (t) => {
  const root = await makeRepository(t)
  const fresh = await runIn(root, 'next')
  assert.deepEqual({ code: fresh.code, stderr: fresh.stderr }, { code: 0, stderr: '' })
  assert.match(fresh.stdout, /any of the 3 lessons yet\.\n[^]*lesson 1 · [^]*[^]*npm run read lesson-1/)
  await begin(root, '12')
  assert.match((await runIn(root, 'next')).stdout, /lesson 12 · [^]*You have begun it[^]*npm run hint lesson-12/)
  assert.match((await runIn(root, 'list')).stdout, /Next: npm run watch lesson-12\n/)
  assert.match((await runIn(root, 'certificate')).stdout, /Next: npm run watch lesson-12\n/)
})

test('diff with a word that it does not know is one sentence', async (t) => {
  const { code, stderr } = await runIn(await makeRepository(t), 'diff', '3', 'mine')
  assert.equal(code, 3)
  assert.match(stderr, /^“mine” is neither slow nor solution: npm run diff .+\n$/)
})

/** @param {string} root @param {string} lesson */
async function begin (root, lesson) {
  await openCopy({ ...await resolveLesson(lesson, { env: envFor(root) }), file: 'server.js' })
}

/** @param {string} text */
function unwrapped (text) {
  return text.trim().replace(/\s+/g, ' ')
}

/** @param {string} root @param {string[]} args */
function runIn (root, ...args) {
  const { COLUMNS, FORCE_COLOR, ...env } = envFor(root)
  return runCommand(args, { env: { ...env, NO_COLOR: '1', LC_ALL: 'C.UTF-8' }, cwd: root })
}
