import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { Linter } from 'eslint'
import { findLessons } from '../../runner/lesson/index.js'
import { temporaryFolder } from '../temporary.js'
import { applyChange, baseOf, filesOf, lines, patch, readCases, readRight, writeCase } from './apply.js'

const here = path.dirname(fileURLToPath(import.meta.url))
const fields = [
  'folder', 'root', 'name', 'on', 'why', 'by', 'load', 'gate', 'underLoad', 'otherwise', 'change',
  'files', 'right'
]
const nothing = { folder: '08-framework', name: 'x', why: '', change: {} }

for (const { folder } of await findLessons()) {
  const cases = await readCases({ folder })
  const right = await readRight({ folder })
  const overlays = [...cases, ...right.filter(({ files, name }) => files !== name)]

  test(`${folder}: every wrong submission says what it is and why it is refused`, () => {
    const names = cases.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)].sort())
    for (const wrong of cases) {
      const { name, why } = wrong
      for (const told of [name, why]) assert.ok(told?.length > 0, `${name}: something is missing`)
      assert.deepEqual(Object.keys(wrong).filter((field) => !fields.includes(field)), [], name)
    }
  })

  test(`${folder}: every right submission has its own name, and an overlay says why it is worth having`, () => {
    const names = right.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
    for (const { name, why, on, files } of right) {
      assert.match(name, /^(base$|valid-)/)
      assert.ok(files === name || (on && why.length > 0), `${name}: something is missing`)
    }
  })

  test(`${folder}: every overlay can be made, and differs from what it is made of`, () => {
    for (const overlay of overlays) {
      const base = baseOf(overlay)
      const files = filesOf(overlay)
      assert.ok(files.size > 0 && (overlay.change ?? overlay.files) !== undefined, overlay.name)
      for (const [file, change] of Object.entries(overlay.change ?? {})) {
        assert.notEqual(String(files.get(file)), String(base.get(file)), `${overlay.name}: ${file} is as it was before`)
        for (const [search, replacement] of Array.isArray(change) ? change : []) assert.notEqual(search, replacement)
      }
    }
  })

  // The linter sees strings in an overlay, and no code.
  test(`${folder}: every overlay can be parsed, but for those called syntax-…`, () => {
    for (const overlay of overlays.filter(({ name }) => !name.startsWith('syntax-'))) {
      for (const [file, text] of filesOf(overlay)) {
        if (file.endsWith('.js')) assert.equal(syntaxError(String(text)), undefined, `${overlay.name}, ${file}`)
      }
    }
  })

  test(`${folder}: nothing lies there that no overlay uses`, () => {
    const folders = ['wrong', 'right'].flatMap((kind) => {
      const own = path.join(here, folder, kind)
      return fs.existsSync(own) ? fs.readdirSync(own).map((name) => `${kind}/${name}`) : []
    })
    assert.deepEqual(folders.sort(), overlays.flatMap(({ files }) => files ?? []).sort())
    assert.equal(right.some(({ name }) => name === 'base'), overlays.some(({ on }) => on === 'base'))
  })
}

test('a change is made of pairs, new files and files that are taken away', () => {
  const files = new Map([['server.js', 'one\ntwo\nthree\n'], ['gone.js', 'x\n'], ['kept.js', 'y\n']])
  const change = { 'server.js': [['three', 'two'], ['one\n', '']], 'gone.js': null, 'lib/new.js': 'z\n' }
  const changed = applyChange(files, /** @type {any} */ (change))
  assert.deepEqual([...changed], [['server.js', 'two\ntwo\n'], ['kept.js', 'y\n'], ['lib/new.js', 'z\n']])
  assert.equal(files.get('server.js'), 'one\ntwo\nthree\n')
})

test('a line of … in a search matches any lines, as few as possible', () => {
  const text = 'one\n  two\nthree\n  two\nfour\n'
  const [search, replacement] = ['one\n…\n  two\n', '']
  assert.equal(applyChange({ 'a.js': text }, { 'a.js': [[search, replacement]] }).get('a.js'), 'three\n  two\nfour\n')
})

test('a replacement is taken literally', () => {
  assert.equal(applyChange({ 'a.js': 'one' }, { 'a.js': [['one', '$& $1']] }).get('a.js'), '$& $1')
})

for (const { what, change, message } of [
  {
    what: 'a text that is not there',
    change: { 'a.js': [['three', '']] },
    message: 'it, a.js: this text is not there:\nthree'
  },
  {
    what: 'lines whose end is not there',
    change: { 'a.js': [['one\n…\nthree', '']] },
    message: 'it, a.js: this text is not there:\none\n…\nthree'
  },
  {
    what: 'a text that is there twice',
    change: { 'a.js': [['two', '']] },
    message: 'it, a.js: this text is there more than once:\ntwo'
  },
  {
    what: 'a text that overlaps with itself',
    change: { 'a.js': [['oo', '']] },
    message: 'it, a.js: this text is there more than once:\noo'
  },
  { what: 'no text', change: { 'a.js': [['', 'x']] }, message: 'it, a.js: this text is not there:\n' },
  {
    what: 'two that overlap',
    change: { 'a.js': [['e two', ''], ['one t', '']] },
    message: 'it, a.js: this text overlaps with the one before:\ne two'
  },
  { what: 'a file that is not there', change: { 'b.js': [['one', '']] }, message: 'it: there is no file b.js' },
  { what: 'a file to take away that is not there', change: { 'b.js': null }, message: 'it: there is no file b.js' }
]) {
  test(`a change is refused: ${what}`, () => {
    assert.throws(() => applyChange({ 'a.js': 'one two\ntwo ooo\n' }, /** @type {any} */ (change), 'it'), { message })
  })
}

test('lines are whole lines without their margin', () => {
  assert.equal(lines`
      a
        b \`\${c}\` \n

      d \
        e
    `, 'a\n  b `${c}` \\n\n\nd e\n') // eslint-disable-line no-template-curly-in-string
  assert.throws(() => lines`a`, /shares its line/)
  assert.throws(() => lines`
    a`, /shares its line/)
  assert.throws(() => lines`
    a
    `, /left of its margin: {5}a/)
})

test('a patch says per file what is there and what replaces it', () => {
  const change = patch`
     one
    -two
    -…
    -four
    +  \`2\`

     five
    @@
    -six
    @@ lib/a.js
     a
    +b
  `
  assert.deepEqual(change, {
    'server.js': [['one\ntwo\n…\nfour\n\nfive\n', 'one\n  `2`\n\nfive\n'], ['six\n', '']],
    'lib/a.js': [['a\n', 'a\nb\n']]
  })
})

test('a patch with a row that has no sign is refused', () => {
  assert.throws(() => patch`
    @@ a.js
    one
  `, { message: 'patch: this row begins with none of -, + and space: one' })
})

test('an unknown base is refused', () => {
  const wrong = { ...nothing, on: 'solutions' }
  const message = '08-framework, x: on is solutions, and not base, valid-…, solution, slow or start'
  assert.throws(() => filesOf(wrong), { message })
})

test('what is written is what was made, also in folders', async (t) => {
  const dir = temporaryFolder(t)
  const wrong = { ...nothing, on: 'solution', change: { 'lib/x.js': 'x\n' } }
  writeCase(wrong, dir)
  for (const [file, content] of filesOf(wrong)) {
    assert.equal(fs.readFileSync(path.join(dir, file), 'utf8'), String(content))
  }
  assert.ok(fs.existsSync(path.join(dir, 'lib', 'x.js')))
  assert.ok(!fs.existsSync(path.join(dir, 'README.md')))
})

/** @param {string} text */
function syntaxError (text) {
  /** @type {import('eslint').Linter.Config[]} */
  const config = [{ languageOptions: { ecmaVersion: 'latest', sourceType: 'module' } }]
  return new Linter().verify(text, config, { allowInlineConfig: false }).find(({ fatal }) => fatal)
}
