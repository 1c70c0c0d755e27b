import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { probeSandbox, regrade } from '../../classroom/regrade/index.js'
import { temporaryFolder } from '../temporary.js'
import { unlessSkipped } from '../unless-skipped.js'

/**
 * Submissions in the real sandbox, where the system has one.
 *
 * @import { TestContext } from 'node:test'
 * @import { LoadedLesson } from '../../runner/lesson/index.js'
 */

export const sandbox = await probeSandbox({ isOptional: true })
export const skip =
  unlessSkipped(sandbox.kind !== 'none', 'bubblewrap can’t work here: no attack on the sandbox was tried')

/**
 * By their answers alone, unless `more` says otherwise.
 *
 * @param {string} dir
 * @param {LoadedLesson} lesson
 * @param {Partial<Parameters<typeof regrade>[0]>} [more]
 */
export function grade (dir, lesson, more = {}) {
  return regrade({ lesson, dir, sandbox, seed: 'mini', speed: false, signal: new AbortController().signal, ...more })
}

/**
 * The solution of a lesson with something before it.
 *
 * @param {TestContext} t
 * @param {LoadedLesson} lesson
 * @param {Record<string, string>} files one of them called `before.js`
 */
export function solutionAfter (t, lesson, files) {
  const dir = path.join(temporaryFolder(t), 'submission')
  fs.cpSync(lesson.solutionDir, dir, { recursive: true })
  const server = path.join(dir, lesson.file)
  const source = `import './before.js'\n${fs.readFileSync(server, 'utf8')}`
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files, [lesson.file]: source })) {
    fs.writeFileSync(path.join(dir, name), text)
  }
  return dir
}

export const fillsDisk = `import fs from 'node:fs'
const large = Buffer.alloc(32 * 1024 ** 2, 1)
try {
  for (let number = 0; ; number++) fs.writeFileSync(\`\${process.env.DATA_DIR}/full-\${number}\`, large)
} catch {}
`

/**
 * Links or pipes in DATA_DIR, where the check itself writes or reads, change nothing outside and keep nobody waiting.
 *
 * @param {TestContext} t
 * @param {{ name: string, kind: 'link' | 'pipe' | 'folder', verdict: string }} attack name: of the lesson
 */
export async function expectHarmless (t, { name, kind, verdict }) {
  const lesson = await loadLesson(await resolveLesson(name))
  const folder = temporaryFolder(t)
  const victim = path.join(folder, 'victim')
  fs.writeFileSync(victim, 'the data of the whole class')
  const before = fs.readFileSync(fileURLToPath(new URL('attacker/lay.js', import.meta.url)), 'utf8')
  const given = JSON.stringify({ victim, kind })
  const { record } = await grade(solutionAfter(t, lesson, { 'before.js': before, 'given.json': given }), lesson)
  assert.equal(record.verdict, verdict, record.reason)
  assert.equal(fs.readFileSync(victim, 'utf8'), 'the data of the whole class')
  assert.deepEqual(fs.readdirSync(folder), ['victim'])
}
