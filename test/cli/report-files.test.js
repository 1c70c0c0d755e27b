import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { openReports } from '../../runner/cli/report-files.js'
import { root, submission, variant } from '../check/mini.js'
import { readXml } from '../report/formats/xml.js'
import { failed, passed } from '../report/records.js'
import { temporaryFolder } from '../temporary.js'
import { runCommand } from './run.js'

/** Dies, and says on the way what a runner could take for a command. */
const commanding = variant({ handler: 'console.log("::error::mine\\n##[error]mine"); process.exit(1)' })

/**
 * Writes the reports of records, as a check does.
 *
 * @param {Record<string, any>} values the flags
 * @param {import('../../runner/judge/index.js').ResultRecord[]} records
 */
function write (values, records) {
  const reports = openReports({ values, env: {}, out: { write: () => true } })
  return reports.write(records.map((record) => ({ record, file: null })))
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

test('all reports of a check at once, and --json; what its server writes commands no runner', async (t) => {
  const out = temporaryFolder(t)
  const [junit, gradescope, summary] = ['junit.xml', 'new/g.json', 'summary.md']
    .map((name) => path.join(out, ...name.split('/')))
  fs.writeFileSync(summary, 'Written before.\n')
  const dir = submission(t, commanding)
  const { code, stdout, stderr } = await runCommand([
    'check', '1', '--no-speed', '--server', dir, '--json',
    '--github', '--junit', junit, '--gradescope', gradescope
  ], {
    env: {
      ...process.env,
      MAKE_IT_FAST_LESSONS: root,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_WORKSPACE: path.dirname(dir)
    }
  })
  assert.equal(code, 1, stderr)
  assert.equal(JSON.parse(stdout).verdict, 'fail')
  assert.equal(readXml(fs.readFileSync(junit, 'utf8')).children[0].attributes.failures !== '0', true)
  assert.equal(JSON.parse(fs.readFileSync(gradescope, 'utf8')).score, 0)
  assert.match(fs.readFileSync(summary, 'utf8'), /^Written before\.\n## ✗ FAIL · Lesson 1/)
  assert.match(stderr, /##\[error\]mine/)
  const commands = commandsIn(stderr)
  assert.ok(commands[0].startsWith(`::error file=${path.basename(dir)}/server.js,line=1,title=Lesson 1 `), commands[0])
  for (const command of commands) assert.match(command, /^::error [^:]*title=Lesson 1/)
})

test('with all, a report holds all lessons', async (t) => {
  const file = path.join(temporaryFolder(t), 'junit.xml')
  await write({ junit: file }, [passed(), failed()])
  const suites = readXml(fs.readFileSync(file, 'utf8')).children
  assert.deepEqual(suites.map(({ name }) => name), ['testsuite', 'testsuite'])
})

test('a report that cannot be written is one sentence; the others are written', async (t) => {
  const out = temporaryFolder(t)
  const file = path.join(out, 'file')
  fs.writeFileSync(file, '')
  const good = path.join(out, 'g.json')
  for (const junit of [path.join(file, 'junit.xml'), out]) {
    await assert.rejects(write({ junit, gradescope: good }, [failed()]), {
      name: 'WorkshopError',
      exitCode: 3,
      message: /^The report for --junit was not written to [^\n]* \(E\w+\): name a file [^\n]*\.$/
    })
    assert.equal(JSON.parse(fs.readFileSync(good, 'utf8')).score, 0)
    fs.rmSync(good)
  }
})

test('what cannot work is refused before anything is checked', () => {
  for (const [values, message] of /** @type {[Record<string, any>, RegExp][]} */ ([
    [{ github: true }, /^--github is for a step of a GitHub workflow: elsewhere, set the variable GITHUB_STEP_SU/],
    [{ junit: '' }, /^--junit takes the name of a file, as in --junit report\.txt\.$/],
    [{ junit: 'x', gradescope: './x' }, /^--junit and --gradescope name the same file, .*: name two files\.$/]
  ])) {
    assert.throws(() => write(values, []), { name: 'WorkshopError', message })
  }
})
