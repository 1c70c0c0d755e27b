import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { parseArgs } from 'node:util'
import { reportOptions } from '../../runner/cli/index.js'
import { commands as ownCommands } from '../../runner/cli/main.js'
import { lessonsRoot } from '../../runner/lesson/index.js'
import { readMarkdown } from './markdown.js'

/** What docs/automation.md tells people to copy is held against the commands that there are. */

const root = lessonsRoot()
const read = (/** @type {string} */ name) => fs.readFileSync(path.join(root, 'docs', name), 'utf8')
const text = read('automation.md')
const workflowsIn = (/** @type {string} */ page) => readMarkdown(page).code
  .flatMap(({ language, text }) => language === 'yaml' && /^on: /m.test(text) ? [text] : [])
const scripts = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).scripts
const workflows = [...workflowsIn(text), ...workflowsIn(read('grading.md'))]
const [workflow, comparison, grading] = workflows
const commands = [...text.matchAll(/\bnpm run (?:-s )?(\w+)((?: (?!\|)[^\s`]+)*)/g)]
  .map(([, name, rest]) => ({ name, args: rest.split(' ').filter((arg) => arg !== '' && arg !== '--') }))

test('every command exists, with its flags', async () => {
  assert.ok(commands.length >= 4, JSON.stringify(commands))
  for (const { name, args } of commands) {
    assert.match(scripts[name] ?? '', new RegExp(`cli\\.js ${name}$`), name)
    const { options } = await ownCommands[name]()
    parseArgs({ args, options, allowPositionals: true })
  }
})

test('the workflow checks, with a report that it then uploads', () => {
  const checks = [...workflow.matchAll(/- run: npm run check .*/g)].map(String)
  assert.equal(checks.length, 1)
  const written = /--junit \.\.\/(\S+)/.exec(checks[0])?.[1]
  assert.ok(written && workflow.includes(`          path: ${written}\n`), checks[0])
  assert.match(checks[0], /--no-speed .*\|\| test \$\? -eq 2$/)
})

test('the other workflow compares, with known flags, and fails on all but a pass and inconclusive', async () => {
  const [, line, after] = /cli\.js compare (.*?) \|\| (.*)$/m.exec(comparison) ?? []
  const { options } = await ownCommands.compare()
  const { values, positionals } = parseArgs({ args: line.split(' '), options, allowPositionals: true })
  assert.deepEqual(positionals, ['HEAD^1', 'HEAD'])
  assert.ok(comparison.includes(`          path: ${values.junit}\n`), line)
  assert.equal(after, 'test $? -eq 2')
})

test('the workflow that grades writes its table where it is uploaded from', async () => {
  const [, line, after] = /- run: npm run grade (.*?) \|\| (.*)$/m.exec(grading) ?? []
  const { options } = await ownCommands.grade()
  const { values } = parseArgs({ args: line.replace('-- ', '').split(' '), options, allowPositionals: true })
  assert.ok(grading.includes(`          path: ${path.posix.normalize(`make-it-fast/${values.csv}`)}\n`), line)
  assert.equal(after, 'test $? -eq 2')
})

for (const [i, text] of workflows.entries()) {
  test(`workflow ${i + 1} pins actions by their major version, and may only read`, () => {
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    assert.ok(used.length >= 4)
    for (const action of used) assert.match(action, /^actions\/[a-z-]+@v\d+$/)
    assert.match(text, /^permissions:\n {2}contents: read\n/m)
    // Pairs of spaces, and no value that YAML would read as something else.
    assert.doesNotMatch(text, /pull_request_target|secrets\.|\t|^( {2})* [^ ]|: [^'"\n]*: /m)
  })
}

test('every flag of a report is in the page, in the help and nowhere mistyped', async () => {
  const { help } = await ownCommands.check()
  for (const flag of Object.keys(reportOptions)) {
    assert.ok(text.includes(`| \`--${flag}`), flag)
    assert.ok(help.includes(`--${flag}`), flag)
  }
})
