import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findLessons, firstForeign, loadLesson, readHints } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/workshop.js'
import { targetOf } from '../../runner/judge/index.js'
import { filesOf, readCases } from '../submissions/apply.js'
import { readMarkdown } from './markdown.js'

/** @import { LoadedLesson } from '../../runner/lesson/index.js' */

const root = workshopRoot
const submissions = path.join(root, 'test', 'submissions')
const entries = await Promise.all((await findLessons()).map(loadLesson))
const scripts = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).scripts

/** @param {LoadedLesson} entry */
const textsOf = (entry) => [
  path.join(entry.dir, 'README.md'),
  path.join(entry.dir, 'hints.md'),
  path.join(entry.solutionDir, 'README.md')
]

/** @param {string} folder @returns {string[]} relative to the workshop */
const textsBelow = (folder) => fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => path.join(folder, name))

/** Without marks, and in one line. @param {string} text */
const plainWords = (text) => text.replace(/[*`|]/g, '').replace(/\s+/g, ' ')

test('lessons are numbered without gaps of the same number, and their ids are unique', () => {
  assert.equal(new Set(entries.map(({ number }) => number)).size, entries.length)
  assert.equal(new Set(entries.map(({ lesson }) => lesson.id)).size, entries.length)
})

for (const entry of entries) {
  test(`${entry.folder}: its slow server is the one that is shipped (else: npm run fingerprints)`, () => {
    assert.equal(firstForeign(entry), null)
  })
}

test('no folder of slow servers, solutions or submissions belongs to no lesson', () => {
  for (const parent of ['slow-servers', 'solutions', path.join('test', 'submissions')]) {
    const folders = fs
      .readdirSync(path.join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    assert.deepEqual(folders.filter((name) => !entries.some(({ folder }) => folder === name)), [], parent)
  }
})

for (const entry of entries) {
  const { lesson, folder, file: graded } = entry

  test(`${folder} has all its parts`, async () => {
    for (const file of [
      ...textsOf(entry),
      path.join(entry.slowDir, 'server.js'),
      path.join(entry.solutionDir, graded)
    ]) {
      assert.ok(fs.statSync(file, { throwIfNoEntry: false })?.isFile(), `${path.relative(root, file)} is missing`)
      assert.ok(fs.readFileSync(file, 'utf8').trim().length > 100, `${path.relative(root, file)} is nearly empty`)
    }
    assert.equal((await readHints(entry, { width: 1000 })).length, 3, 'three hints')
    assert.match(
      fs.readFileSync(path.join(entry.solutionDir, 'README.md'), 'utf8'),
      /<!-- measured -->[^]*<!-- \/measured -->/
    )
  })

  test(`${folder} promises in its text what its check demands, and nothing else is demanded`, () => {
    const { operations = {}, contract = [], promises = {} } = lesson
    const rules = Object.values(operations).flatMap(({ rule, effect = rule }) => [rule, effect])
    const demanded = [...new Set([...rules, ...contract.map(({ name }) => name)])].sort()
    assert.deepEqual(Object.keys(promises).sort(), demanded)
    const text = plainWords(fs.readFileSync(path.join(entry.dir, 'README.md'), 'utf8'))
    for (const [rule, words] of Object.entries(promises)) {
      assert.ok(words.length >= 10 && text.includes(plainWords(words)), `${rule}: the text has no “${words}”`)
    }
  })

  test(`${folder} has submissions that test its grader`, async () => {
    const names = fs.readdirSync(path.join(submissions, folder))
    const valid = names.filter((name) => name.startsWith('valid-'))
    assert.deepEqual(names.filter((name) => !valid.includes(name) && !['base', 'wrong', 'wrong.js'].includes(name)), [])
    assert.ok(valid.length >= 5, 'five that are accepted')
    for (const name of valid) {
      assert.ok(fs.existsSync(path.join(submissions, folder, name, graded)), `${name} has no ${graded}`)
    }
    const wrong = await readCases(folder)
    assert.ok(wrong.length >= 6, 'six that are refused')
    for (const one of wrong) assert.ok(filesOf(one).has(graded), `${one.name} has no ${graded}`)
  })

  test(`${folder} has honest fixes of different kinds`, () => {
    const valid = fs
      .readdirSync(path.join(submissions, folder))
      .filter((name) => name.startsWith('valid-'))
      .map((name) => path.join(submissions, folder, name))
    const honest = [entry.solutionDir, ...valid]
    assert.ok(honest.some(isCommonJs), 'one that is CommonJS')
    assert.ok(honest.some((dir) => !isCommonJs(dir)), 'one of ES modules')
    assert.ok(honest.some((dir) => sourcesIn(dir).length > 1), 'one of several files')
    if (lesson.kind !== 'load plan') assert.ok(honest.some(isOnPlainHttp), 'one on plain node:http')
  })

  test(`${folder}: every target stands in lesson.js alone`, () => {
    for (const file of textsOf(entry)) {
      const text = fs.readFileSync(file, 'utf8').replace(/<!-- measured -->[^]*<!-- \/measured -->/, '')
      for (const gate of lesson.gates) {
        for (const cores of [2, 4, 8]) {
          const target = targetOf(gate, { cores })
          if (target === undefined) continue
          const number = String(Number(target.toPrecision(3))).replace('.', '\\.')
          assert.doesNotMatch(
            text,
            new RegExp(`(target|goal)[^.\\n]{0,40}[^\\d.]${number}(?![\\d.]*\\d)\\s*(×|times|x\\b)`, 'i'),
            `${path.relative(root, file)} repeats the target of ${gate.name}`
          )
        }
      }
    }
  })

  test(`${folder}: the hints lead on and do not hold the solution`, async () => {
    const solution = fs.readFileSync(path.join(entry.solutionDir, graded), 'utf8')
    const telling = solution
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length >= 40 && !line.startsWith('import') && !line.startsWith('//'))
    for (const hint of await readHints(entry, { width: 1000 })) {
      const text = typeof hint === 'string' ? hint : JSON.stringify(hint)
      for (const line of telling) assert.ok(!text.includes(line), `a hint holds a line of the solution: ${line}`)
    }
    assert.deepEqual(
      readMarkdown(path.join(entry.dir, 'hints.md')).code.filter(({ text }) => text.split('\n').length > 4),
      [],
      'a hint shows a whole block of code'
    )
  })

  test(`${folder}: links resolve, commands exist, code can be parsed`, async () => {
    for (const file of textsOf(entry)) await checkText(file, entry.number)
  })

  test(`${folder}: texts are plain and name no year that nobody knows`, () => {
    for (const file of textsOf(entry)) {
      const { prose } = readMarkdown(file)
      const text = prose.replace(/```[^]*?```/g, '').replace(/^ {4}.*$/gm, '').replace(/`[^`]*`/g, '')
      for (const word of ['simply', 'obviously', 'of course', 'trivial']) {
        assert.doesNotMatch(
          text,
          new RegExp(`\\b${word}\\b`, 'i'),
          `${path.relative(root, file)}: “${word}” tells the reader that it should be easy`
        )
      }
      assert.doesNotMatch(text, /article of (19|20)\d\d/, path.relative(root, file))
    }
  })
}

for (const file of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...textsBelow('docs')]) {
  test(`${file}: links resolve and commands exist`, () => checkText(path.join(root, file)))
}

/** @param {string} dir @returns {string[]} */
function sourcesIn (dir) {
  return fs
    .readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name))
    .map((name) => path.join(dir, name))
}

/** @param {string} dir */
function isCommonJs (dir) {
  const file = path.join(dir, 'package.json')
  return fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8')).type === 'commonjs'
}

/** Answers requests with nothing between it and node:http: no framework, and no router of one. @param {string} dir */
function isOnPlainHttp (dir) {
  const imported = sourcesIn(dir).flatMap((file) =>
    [...fs.readFileSync(file, 'utf8').matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
      ([, name]) => name
    )
  )
  return (
    imported.some((name) => /^(node:)?http$/.test(name)) &&
    !imported.some((name) => /^(express|restify|router|find-my-way)$/.test(name))
  )
}

/** @param {string} file @param {number} [number] of the lesson that the text belongs to */
async function checkText (file, number) {
  const { links, code, prose } = readMarkdown(file)
  const shown = path.relative(root, file)
  for (const link of links) {
    if (/^(https?:|#|mailto:)/.test(link)) continue
    const target = path.resolve(path.dirname(file), decodeURI(link.split('#')[0]))
    assert.ok(fs.existsSync(target), `${shown} links to ${link}, which is not there`)
  }
  for (const [, script] of prose.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)) {
    assert.ok(Object.hasOwn(scripts, script), `${shown} names npm run ${script}, which package.json does not have`)
  }
  if (number !== undefined) {
    for (const [command, other] of prose.matchAll(/\bnpm run (?:check|hint|bench|serve|profile|reset) lesson-(\d+)/g)) {
      assert.equal(Number(other), number, `${shown}: ${command} is about another lesson`)
    }
  }
  for (const { language, text } of code) if (/^(js|javascript|mjs)$/.test(language)) await parse(text, shown)
}

/**
 * Code in a text may be a part of a function or of an object; it has to parse as one of them.
 *
 * @param {string} text
 * @param {string} shown
 */
async function parse (text, shown) {
  const { Linter } = await import('eslint')
  const linter = new Linter()
  const options = /** @type {const} */ ({
    languageOptions: {
      ecmaVersion: 'latest',
      sourceType: 'module',
      parserOptions: { ecmaFeatures: { globalReturn: true } }
    }
  })
  const tries = [
    text,
    `async function f () {\n${text}\n}`,
    `const o = {\n${text}\n}`,
    `const v = ${text}`,
    `const o = [\n${text}\n]`
  ]
  const fatal = tries.map((source) => linter.verify(source, [options]).find(({ fatal }) => fatal))
  assert.ok(fatal.some((problem) => !problem), `${shown}: this code does not parse (${fatal[0]?.message}):\n${text}`)
}
