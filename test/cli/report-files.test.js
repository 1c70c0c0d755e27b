import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { root, slow, submission, variant } from '../check/mini.js'
import { readXml } from '../report/formats/xml.js'
import { temporaryFolder } from '../temporary.js'
import { cli, runNode } from './run.js'

const wrong = variant({ handler: 'return res.end("{}")' })
/** Dies, and says on the way what a runner could take for a command. */
const commanding = variant({ handler: 'console.log("::error::mine\\n##[error]mine"); process.exit(1)' })

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function check (args, env = {}) {
  return runNode([cli, 'check', ...args, '--no-speed'], {
    env: {
      ...process.env,
      GITHUB_STEP_SUMMARY: undefined,
      GITHUB_WORKSPACE: undefined,
      MAKE_IT_FAST_LESSONS: root,
      ...env
    }
  })
}

/**
 * What a runner makes of the lines of a step: commands, but for those between stop-commands and its token.
 *
 * @param {string} output
 */
function commandsIn (output) {
  /** @type {string | null} */
  let token = null
  return output.split('\n').map((line) => line.trimStart()).filter((line) => {
    const stop = /^::stop-commands::(.+)$/.exec(line)
    if (token !== null) {
      if (line === `::${token}::`) token = null
      return false
    }
    if (stop) token = stop[1]
    return stop === null && /^::|##\[/.test(line)
  })
}

test('all reports at once, and --json: the verdict keeps its exit code, and standard output its JSON', async (t) => {
  const out = temporaryFolder(t)
  const [junit, gradescope, exercism, summary] = ['junit.xml', 'new/g.json', 'e.json', 'summary.md']
    .map((name) => path.join(out, ...name.split('/')))
  fs.writeFileSync(summary, 'Written before.\n')
  const dir = submission(t, wrong)
  const { code, stdout, stderr } = await check(
    ['1', '--server', dir, '--json', '--github', '--junit', junit, '--gradescope', gradescope, '--exercism', exercism],
    { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: path.dirname(dir) }
  )
  assert.equal(code, 1, stderr)
  assert.equal(JSON.parse(stdout).verdict, 'fail')
  assert.equal(readXml(fs.readFileSync(junit, 'utf8')).children[0].attributes.failures !== '0', true)
  assert.equal(JSON.parse(fs.readFileSync(gradescope, 'utf8')).score, 0)
  assert.equal(JSON.parse(fs.readFileSync(exercism, 'utf8')).status, 'fail')
  assert.match(fs.readFileSync(summary, 'utf8'), /^Written before\.\n## ✗ FAIL · Lesson 1/)
  const [first] = commandsIn(stderr)
  assert.ok(first.startsWith(`::error file=${path.basename(dir)}/server.js,line=1,title=Lesson 1 `), first)
})

test('with all, a report holds all lessons', async (t) => {
  const out = temporaryFolder(t)
  const file = path.join(out, 'junit.xml')
  fs.mkdirSync(path.join(out, 'handed-in'))
  fs.cpSync(slow, path.join(out, 'handed-in', '01-mini'), { recursive: true })
  const { code } = await check(['all', '--server', path.join(out, 'handed-in'), '--junit', file])
  assert.equal(code, 2)
  assert.deepEqual(readXml(fs.readFileSync(file, 'utf8')).children.map(({ name }) => name), ['testsuite'])
})

test('what a server writes commands no runner', async (t) => {
  const summary = path.join(temporaryFolder(t), 'summary.md')
  const { code, stdout } = await check(
    ['1', '--server', submission(t, commanding), '--github'],
    { GITHUB_STEP_SUMMARY: summary }
  )
  assert.equal(code, 1, stdout)
  assert.match(stdout, /##\[error\]mine/)
  const commands = commandsIn(stdout)
  assert.ok(commands.length > 0)
  for (const command of commands) assert.match(command, /^::error title=Lesson 1/)
})

test('a report that cannot be written is one sentence and exit code 3; verdict and other reports stay', async (t) => {
  const out = temporaryFolder(t)
  const file = path.join(out, 'file')
  fs.writeFileSync(file, '')
  const [never, good] = [path.join(file, 'junit.xml'), path.join(out, 'g.json')]
  const { code, stdout, stderr } = await check(
    ['1', '--server', submission(t, wrong), '--junit', never, '--gradescope', good]
  )
  assert.equal(code, 3)
  assert.match(stdout, /FAIL {2}Lesson 1/)
  assert.match(stderr, /^The report for --junit was not written to .*junit\.xml \(E\w+\): name a file [^\n]*\.\n$/)
  assert.equal(JSON.parse(fs.readFileSync(good, 'utf8')).score, 0)
  const folder = await check(['1', '--server', submission(t, wrong), '--junit', out])
  assert.equal(folder.code, 3)
  assert.match(folder.stderr, /^The report for --junit was not written to /)
})

test('what cannot work is refused before anything is checked', async (t) => {
  const file = path.join(temporaryFolder(t), 'report')
  for (const [args, sentence] of new Map([
    [['--github'], /^--github is for a step of a GitHub workflow: elsewhere, set the variable GITHUB_STEP_SUMMARY /],
    [['--junit', ''], /^--junit takes the name of a file, as in --junit report\.txt\.\n$/],
    [['--junit', file, '--exercism', file], /^--junit and --exercism name the same file, .*: name two files\.\n$/]
  ])) {
    const { code, stdout, stderr } = await check(['1', '--server', slow, ...args])
    assert.equal(code, 3, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, sentence)
  }
})
