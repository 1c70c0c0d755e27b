import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { checkSyntax } from '../../runner/check/index.js'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { root, slow, solution, submission } from './mini.js'

const entry = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))

test('what can be read has no syntax error', async () => {
  for (const dir of [slow, solution]) assert.equal(await checkSyntax({ entry, dir }), null)
})

test('a syntax error is a failed check that names file, line and place', async (t) => {
  const record = await checkSyntax({ entry, dir: submission(t, 'import http from \'node:http\'\n\nconst half = ;\n') })
  assert.equal(record?.verdict, 'fail')
  assert.equal(record?.reason, "server.js:3 has a syntax error: Unexpected token ';'.")
  assert.match(String(record?.output[0].text), /server\.js:3\nconst half = ;\n {13}\^\nSyntaxError: /)
  assert.deepEqual([record?.contract, record?.rounds, record?.gates], [[], [], []])
})

test('files that it names are read, both kinds of modules, and no others', async (t) => {
  const source = "import './lib/one.js'\nimport { createRequire } from 'node:module'\n// import './off.js'\n" +
    "createRequire(import.meta.url)('./lib/two.cjs')\n"
  const dir = submission(t, source, { 'off.js': 'off (', 'other.js': 'other (' })
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    fs.mkdirSync(path.join(dir, 'lib'), { recursive: true })
    fs.writeFileSync(path.join(dir, 'lib', name), text)
  }
  write('one.js', 'export const one = await 1\n')
  write('two.cjs', 'return exports.two = 010\n')
  assert.equal(await checkSyntax({ entry, dir }), null)
  write('two.cjs', 'module.exports = {\n')
  assert.match(String((await checkSyntax({ entry, dir }))?.reason), /^lib.two\.cjs:\d has a syntax error: /)
})

test('files full of line ends, quotes or blanks are looked through once', async (t) => {
  const many = 2 ** 17
  // With a search from each line end to the last one, each of the first four would take minutes.
  const files = ['\n', '\r', '\u2028', ' \n', ' ', '\'./a\n', '\'./', '`./a"'].map((one) => one.repeat(many))
  const names = Object.fromEntries(files.map((text, at) => [`lib-${at}.js`, `/*${text}*/ const = 1`]))
  const source = Object.keys(names).map((name) => `import './${name}'\n`).join('')
  const record = await checkSyntax({ entry, dir: submission(t, source, names) })
  assert.match(String(record?.reason), /^lib-0\.js:\d+ has a syntax error/)
})

test('what is not there is left to the check', async (t) => {
  assert.equal(await checkSyntax({ entry, dir: path.join(submission(t, ''), 'nowhere') }), null)
})
