import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { takeTurn } from '../../runner/system/index.js'
import { keepOrDrop } from '../../runner/workspace/index.js'
import { root, variant } from '../check/mini.js'
import { cli, runNode } from '../cli/run.js'
import { inconclusive } from '../report/records.js'
import { temporaryFolder } from '../temporary.js'
import { skipWithoutTerminal } from './available.js'
import { openTerminal } from './open.js'

/** `npm run watch` as a learner drives it: type, save, read the screen. */

const options = { skip: skipWithoutTerminal() }
const looked = /✓ 3 of 3 checks of the answers passed/
const idle = /Saved, but nothing happened\? Press r\./

test('a save is looked at, keys do the rest, and q leaves nothing behind', options, async (t) => {
  const { terminal, save, seen } = await watch(t)
  await terminal.waitFor(looked)
  await terminal.waitFor(idle)
  assert.match(seen(), /^Lesson 1 · Mini\n.*01-mini\/server\.js\n\nTarget +additions ≥ 3×\nVerdict +none yet/)
  assert.match(seen(), /Look 1 +Unchanged: 1× by definition/)

  save('throw new Error("saved too early")')
  await terminal.waitFor(/before it listened .*saved too early/s)
  save('const half = ;')
  await terminal.waitFor(/server\.js:1 has a syntax error: Unexpected token ';'\.\n +const half = ;\n +\^/)
  save(variant({ handler: 'return res.end("{}")' }))
  await terminal.waitFor(/expected \d+, got undefined/)
  save(variant({}))
  await terminal.waitFor(/History +\S+ +≈[\d,.]+×( \(rough\))? +≈[\d,.]+×/)
  await terminal.waitFor(idle)

  terminal.type('h')
  await terminal.waitFor(/Hint 1 of \d · lesson 1[^]+h hint 2 of \d|hints again/)
  terminal.type('d')
  await terminal.waitFor(/1 file changed\./)
  terminal.type('b')
  await terminal.waitFor(/repeat: npm run check lesson-1[^]+Verdict +\S (pass|fail|inconclusive) /)
  await terminal.waitFor(idle)
  terminal.type('r')
  await terminal.waitFor(looked)
  await terminal.waitFor(idle)
  terminal.type('q')
  assert.deepEqual(await terminal.exit, { code: 0, signal: null })
  assert.match(seen(), /Left lesson-1\. `npm run watch lesson-1` goes on\./)
})

test('Ctrl-C ends it in the middle of a look', options, async (t) => {
  const { terminal } = await watch(t)
  await terminal.waitFor(/c or a save stops this run/)
  terminal.key('ctrl-c')
  assert.deepEqual(await terminal.exit, { code: 0, signal: null })
})

test('c stops a full check, a save does so too and is looked at', options, async (t) => {
  const { terminal, save } = await watch(t)
  await terminal.waitFor(idle)
  // The slow server itself is asked nothing.
  save(`${variant({})}// touched\n`)
  await terminal.waitFor(/Look 2[^]+Saved, but nothing happened/)
  terminal.type('b')
  await terminal.waitFor(/▸ contract/)
  terminal.type('c')
  await terminal.waitFor(/Nothing is left running, and no result of lesson 1 was written/)
  await terminal.waitFor(idle)
  terminal.type('b')
  await terminal.waitFor(/▸ contract/)
  save(variant({}))
  await terminal.waitFor(looked)
  await terminal.waitFor(/History +\S+ +≈/)
  terminal.type('q')
  await terminal.exit
})

test('it waits for a measurement in another terminal, and says so', options, async (t) => {
  const turn = await takeTurn(`measuring\0${os.tmpdir()}`, { about: 'a check of lesson 7 in another terminal' })
  t.after(turn.release)
  const { terminal } = await watch(t)
  const waits = /Waiting for [^:]* terminal: two at once would spoil\s+both\.\s+Next in\s+the queue\.\s+waited \d+ s/
  await terminal.waitFor(waits)
  terminal.type('l')
  await terminal.waitFor(/Mini +mini[^]+Look 1 +Waiting for a check of lesson 7/)
  terminal.type('b')
  await terminal.waitFor(/Check +Waiting for a check of lesson 7[^]+b full check[^]+c or a save stops this run/)
  terminal.type('c')
  await terminal.waitFor(/Stopped\.[^]+Saved, but nothing happened/)
  terminal.type('r')
  await terminal.waitFor(/Look 2 +Waiting for a check of lesson 7/)
  await turn.release()
  await terminal.waitFor(looked)
  terminal.type('q')
  await terminal.exit
})

test('what ends in another terminal is seen here, and an inconclusive check can go on', options, async (t) => {
  const { terminal, results, env } = await watch(t)
  const entry = await loadLesson(await resolveLesson('1', { env }))
  await terminal.waitFor(idle)
  fs.mkdirSync(results)
  await keepOrDrop(entry, entry.workspaceDir, { rounds: [] })
  fs.writeFileSync(path.join(results, '01-mini.json'),
    JSON.stringify({ ...inconclusive(), startedAt: new Date().toISOString() }))
  await terminal.waitFor(/Verdict +\? inconclusive[^]+b full check +m go on with it/)
  terminal.type('q')
  await terminal.exit
})

test('an editor that takes the terminal is announced, and none is a sentence', options, async (t) => {
  const { terminal } = await watch(t, { env: { VISUAL: '', EDITOR: 'vi' } })
  await terminal.waitFor(idle)
  terminal.type('e')
  await terminal.waitFor(/Press e once more to open server\.js in vi [^]+ with Esc, then :q\s+and\s+Enter\./)
  terminal.type('q')
  await terminal.exit
  const other = await watch(t, { env: { VISUAL: '', EDITOR: '', PATH: pathWithoutEditor(t) } })
  await other.terminal.waitFor(idle)
  other.terminal.type('e')
  await other.terminal.waitFor(/No editor is set\. Open .*server\.js\s+in\s+yours/)
  other.terminal.type('q')
  await other.terminal.exit
})

/** A PATH with what a terminal takes, and nothing else. @param {import('node:test').TestContext} t */
function pathWithoutEditor (t) {
  const dir = temporaryFolder(t)
  for (const name of ['script', 'setpriv', 'stty', 'tty']) {
    const found = (process.env.PATH ?? '').split(path.delimiter).map((one) => path.join(one, name)).find(fs.existsSync)
    if (found) fs.symlinkSync(found, path.join(dir, name))
  }
  return dir
}

for (const columns of [40, 60]) {
  test(`${columns} columns, without colour and Unicode`, options, async (t) => {
    const { terminal, seen } = await watch(t, { columns, env: { NO_COLOR: '1', LC_ALL: 'C' } })
    await terminal.waitFor(/\+ 3 of 3 checks of the answers\s+passed/)
    await terminal.waitFor(/q quit/)
    assert.match(seen(), /^[\n\x20-\x7e]*$/)
    assert.deepEqual(terminal.wrapped(), [])
    terminal.type('q')
    assert.equal((await terminal.exit).code, 0)
  })
}

test('without a terminal it writes lines, and takes a letter and Enter', async (t) => {
  const env = environment(t)
  const { code, stdout, stderr } = await runNode([cli, 'watch', '1'], {
    env: { ...process.env, ...env },
    started: (child) => {
      let text = ''
      child.stdout.on('data', (more) => {
        text += more
        if (/3 of 3 checks of the answers passed/.test(text)) child.stdin.end('q\n')
      })
    }
  })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.equal(stdout.includes('\u001b'), false, stdout)
  assert.match(stdout, /^There is no terminal to press keys in: .+Lesson 1 · Mini\n[^]+Left lesson-1\./s)
})

/** @param {import('node:test').TestContext} t @param {{ columns?: number, env?: NodeJS.ProcessEnv }} [options] */
async function watch (t, { columns = 90, env } = {}) {
  const own = environment(t)
  const terminal = await openTerminal(t, {
    command: process.execPath,
    args: [cli, 'watch', 'lesson-1'],
    columns,
    rows: 30,
    env: { ...own, ...env }
  })
  const file = path.join(own.MAKE_IT_FAST_WORKSPACE, '01-mini', 'server.js')
  return {
    terminal,
    env: own,
    results: path.join(own.MAKE_IT_FAST_WORKSPACE, 'results'),
    seen: () => terminal.screen().join('\n').trimEnd(),
    /** As editors do. @param {string} text */
    save: (text) => {
      fs.writeFileSync(`${file}~`, text)
      fs.renameSync(`${file}~`, file)
    }
  }
}

/** @param {import('node:test').TestContext} t */
function environment (t) {
  return { MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: temporaryFolder(t) }
}
