import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import test from 'node:test'
import { watchLesson } from '../../runner/cli/watch-lesson.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { keepOrDrop } from '../../runner/workspace/index.js'
import { root, variant } from '../check/mini.js'
import { cli } from '../cli/run.js'
import { broken, inconclusive, passed } from '../report/records.js'
import { temporaryFolder } from '../temporary.js'
import { until } from '../until.js'
import { skipWithoutTerminal } from './available.js'
import { keys } from './keys.js'
import { comes, openTerminal } from './open.js'
import { createScreen } from './screen.js'

/**
 * `npm run watch` as a learner drives it: type, save, read the screen. Looks and the commands below the screen are
 * invented here, except in the one that measures.
 *
 * @typedef {NonNullable<Parameters<typeof watchLesson>[1]['preview']>} Look
 * @typedef {Parameters<typeof watchLesson>[1]['given']['runOther']} Run
 */

const idle = /Saved, but nothing happened\? Press r\./

test('a save is looked at, and only right answers are part of the history', async (t) => {
  const looks = [look({ isUnchanged: true }), look({ record: broken() }), look(), look()]
  const { see, save, screen, key, end, written } = await watch(t, { looks })
  await see(/Look 1 +Unchanged: 1× by definition\./)
  await see(idle)
  assert.match(screen.screen().join('\n'),
    /^Lesson 1 · Mini\n.*01-mini\/server\.js\n\nTarget +additions ≥ 3×\nVerdict +none yet/)
  save('// wrong')
  await see(/Look 2 [^]+1 of 2 checks of the answers/)
  save('// right')
  await see(/History +\S+ +≈6×.* ≈6×[^]+Look 3 /)
  key('r')
  await see(/History +\S+ +≈6×.* ≈6×.* ≈6×[^]+Look 4 /)
  key('q')
  assert.equal(await end, 'quit')
  assert.match(written(), /Left lesson-1\. `npm run watch lesson-1` goes on\.\n$/)
})

test('keys run commands below the screen, and one that fails is a sentence', async (t) => {
  const { see, key, end, calls, stdout } = await watch(t, {
    run: async ([command], { onGist }) => {
      if (command === 'profile') throw new WorkshopError('There is nothing to profile.\nMore.')
      stdout.write(`This is ${command}.\n`)
      onGist?.([`The gist of ${command}.`])
    }
  })
  await see(idle)
  for (const [letter, command] of Object.entries({ h: 'hint', d: 'diff', b: 'check', l: 'list' })) {
    key(letter)
    await see(new RegExp(`This is ${command}\\.[^]+The gist of ${command}\\.[^]+Saved, but`))
  }
  key('s')
  await see(/Press s once more to see it anyway\./)
  key('s')
  await see(/solution\.[^]+solution\.[^]+Saved, but/)
  key('p')
  await see(/There is nothing to profile\./)
  // Nothing can go on.
  key('m')
  key('n')
  assert.equal(await end, 'next')
  assert.deepEqual(calls, [['hint', 'lesson-1'], ['diff', 'lesson-1'], ['check', 'lesson-1'], ['list'],
    ['solution', 'lesson-1'], ['solution', 'lesson-1', '--anyway'], ['profile', 'lesson-1']])
})

test('c stops a check, a save does so, too, and is looked at; Ctrl-C ends a look', async (t) => {
  const { see, save, key, end, calls } = await watch(t, {
    looks: [look(), look(), ({ signal }) => aborted(signal)],
    run: (_argv, { signal }) => aborted(signal)
  })
  await see(idle)
  key('b')
  await until(() => calls.length === 1)
  // A check obeys these alone.
  for (const letter of 'hber') key(letter)
  key('c')
  await see(/Stopped\.[^]+Saved, but/)
  key('b')
  await until(() => calls.length === 2)
  save(variant({}))
  await see(/Look 2 [^]+Saved, but/)
  key('r')
  await see(/c or a save stops this run/)
  key(keys['ctrl-c'])
  assert.equal(await end, 'quit')
  assert.deepEqual(calls, [['check', 'lesson-1'], ['check', 'lesson-1']])
})

test('what waits for its turn says so, and asides go on meanwhile', async (t) => {
  const sentence = 'Waiting for a check of lesson 7 in another terminal.'
  /** @param {Parameters<Look>[0] | Parameters<Run>[1]} given */
  const waiting = async ({ onWait, signal }) => {
    onWait?.(sentence)
    return aborted(signal)
  }
  const { see, key, end, stdout } = await watch(t, {
    looks: [waiting],
    run: async ([command], around) => command === 'check' ? waiting(around) : stdout.write(`This is ${command}.\n`)
  })
  await see(/Look 1 +Waiting for a check of lesson 7 in another terminal\./)
  key('l')
  await see(/This is list\.[^]+Look 1 +Waiting/)
  key('b')
  await see(/Check +Waiting for a check of lesson 7[^]+b full check[^]+c or a save stops this run/)
  key('c')
  await see(/Stopped\.[^]+Saved, but/)
  key('q')
  await end
})

test('what ends in another terminal is seen here, and an inconclusive check can go on', async (t) => {
  const { see, key, end, calls, entry, workspace } = await watch(t)
  await see(idle)
  fs.mkdirSync(path.join(workspace, 'results'))
  await keepOrDrop(entry, entry.workspaceDir, { rounds: [] })
  fs.writeFileSync(path.join(workspace, 'results', '01-mini.json'),
    JSON.stringify({ ...inconclusive(), startedAt: new Date().toISOString() }))
  await see(/Verdict +\? inconclusive[^]+b full check +m go on with it/)
  key('m')
  await until(() => calls.length === 1)
  key('q')
  await end
  assert.deepEqual(calls, [['check', 'lesson-1', '--more']])
})

test('an editor that takes the terminal is announced, and none is a sentence', async (t) => {
  const noEditor = { VISUAL: '', EDITOR: '' }
  for (const [env, sentence] of /** @type {const} */ ([
    [{ ...noEditor, EDITOR: 'vi' },
      /Press e once more to open server\.js in vi [^]+ with Esc, then :q\s+and\s+Enter\./],
    [{ ...noEditor, PATH: temporaryFolder(t) }, /No editor is set\. Open\s+\S*server\.js\s+in\s+yours/]
  ])) {
    const { see, key, end } = await watch(t, { env })
    await see(idle)
    key('e')
    await see(sentence)
    key('q')
    await end
  }
})

test('without a terminal it writes lines, and takes a letter and Enter', async (t) => {
  const { see, key, end, written } = await watch(t, { isTTY: false })
  await see(/Look 1 /)
  key('q\n')
  assert.equal(await end, 'quit')
  assert.equal(written().includes('\u001b'), false, written())
  assert.match(written(), /^There is no terminal to press keys in: .+Lesson 1 · Mini\n[^]+Left lesson-1\./s)
})

test('in a narrow terminal, without colour and Unicode: a real look, a hint, and q during a check',
  { skip: skipWithoutTerminal() }, async (t) => {
    const terminal = await openTerminal(t, {
      command: process.execPath,
      args: [cli, 'watch', 'lesson-1'],
      columns: 60,
      rows: 30,
      env: { NO_COLOR: '1', LC_ALL: 'C', MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: temporaryFolder(t) }
    })
    await terminal.waitFor(/\+ 3 of 3 checks of the answers\s+passed/)
    await terminal.waitFor(idle)
    terminal.type('h')
    await terminal.waitFor(/Hint 1 of \d - lesson 1[^]+Saved, but/)
    terminal.type('b')
    await terminal.waitFor(/warm-up/)
    terminal.type('q')
    assert.equal((await terminal.exit).code, 0)
    assert.match(terminal.lines().join('\n'), /^[\n\x20-\x7e]*$/)
    assert.deepEqual(terminal.wrapped(), [])
  })

/** @param {{ record?: Awaited<ReturnType<Look>>['record'], isUnchanged?: boolean }} [differences] @returns {Look} */
function look ({ record = passed(), isUnchanged = false } = {}) {
  return async () => ({ record, durationMs: 1840, isUnchanged })
}

/** @param {AbortSignal} [signal] @returns {Promise<never>} rejects with its reason */
async function aborted (signal = new AbortController().signal) {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

/**
 * In this process.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} [given]
 * @param {Look[]} [given.looks] the last one is repeated
 * @param {Run} [given.run]
 * @param {NodeJS.ProcessEnv} [given.env]
 * @param {boolean} [given.isTTY]
 */
async function watch (t, { looks = [look()], run = async () => {}, env, isTTY = true } = {}) {
  const workspace = temporaryFolder(t)
  const given = { ...process.env, MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: workspace, ...env }
  const entry = await loadLesson(await resolveLesson('1', { env: given }))
  const size = { columns: 90, rows: 30 }
  const screen = createScreen(size)
  let text = ''
  const stdout = {
    ...size,
    isTTY,
    write: (/** @type {string} */ more) => {
      text += more
      screen.write(more.replaceAll('\n', '\r\n'))
    }
  }
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} })
  const controller = new AbortController()
  /** @type {string[][]} */
  const calls = []
  let looked = 0
  const end = watchLesson(entry, {
    given: {
      values: {},
      positionals: [],
      stdout,
      stderr: stdout,
      env: given,
      signal: controller.signal,
      runOther: (argv, around) => {
        calls.push(argv)
        return run(argv, around)
      }
    },
    preview: (options) => (looks[looked++] ?? looks[looks.length - 1])(options),
    stdin: /** @type {any} */ (stdin)
  })
  // A test that has failed before its end still ends the watch.
  end.catch(() => {})
  t.after(() => controller.abort())
  const file = path.join(entry.workspaceDir, 'server.js')
  return {
    end,
    entry,
    workspace,
    calls,
    screen,
    stdout,
    written: () => text,
    see: (/** @type {RegExp} */ what) => comes(screen, what),
    key: (/** @type {string} */ typed) => { stdin.write(typed) },
    /** As editors do. @param {string} text */
    save: (text) => {
      fs.writeFileSync(`${file}~`, text)
      fs.renameSync(`${file}~`, file)
    }
  }
}
