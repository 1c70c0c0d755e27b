import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeTemporary } from '../../runner/process/index.js'
import { openTerminal } from '../../test/terminal/open.js'

/**
 * @import { Picture } from '../../test/terminal/screen.js'
 * @import { Step } from './scenario.js'
 *
 * @typedef {{ atMs: number, picture: Picture }} Frame shown from then on, until the next one
 * @typedef {{ fromMs: number, toMs: number }} Wait the program works, the person waits
 * @typedef {{ frames: Frame[], waits: Wait[], endMs: number }} Recording times since the beginning
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const prompt = '$'
/** Between two keys of a good typist. */
const keyMs = 45

/**
 * Does the steps in a shell in a pseudo terminal, at the pace of a person, and records each picture of the screen. What
 * the learner's commands write lands in a temporary folder.
 *
 * @param {readonly Step[]} steps
 * @param {{ columns: number, rows: number }} size
 * @returns {Promise<Recording>}
 * @throws a step did not come to its end: says what was on the screen
 */
export async function record (steps, size) {
  const folder = await makeTemporary()
  /** @type {(() => Promise<void>)[]} */
  const after = []
  try {
    copyRepository(folder.dir)
    const terminal = await openTerminal({ after: (act) => after.push(act) }, {
      command: 'sh',
      ...size,
      cwd: folder.dir,
      env: {
        PS1: `${prompt} `,
        ENV: '',
        // What this machine's owner has set for npm isn't part of the tour.
        npm_config_userconfig: os.devNull,
        npm_config_update_notifier: 'false'
      }
    })
    return await play(steps, terminal, folder.dir)
  } finally {
    for (const act of after) await act()
    await folder.remove()
  }
}

/** @param {string} dir gets everything but the learner's workspace: no path of this machine belongs into the tour */
function copyRepository (dir) {
  const names = ['runner', 'lessons', 'slow-servers', 'solutions', 'package.json']
  for (const name of names) fs.cpSync(path.join(root, name), path.join(dir, name), { recursive: true })
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(dir, 'node_modules'))
}

/**
 * @param {readonly Step[]} steps
 * @param {Awaited<ReturnType<typeof openTerminal>>} terminal
 * @param {string} dir
 * @returns {Promise<Recording>}
 */
async function play (steps, terminal, dir) {
  const isPrompt = (/** @type {string[]} */ screen) => screen.at(-1) === prompt
  await terminal.waitFor(isPrompt)
  const startedAt = performance.now()
  const now = () => performance.now() - startedAt
  const frames = [{ atMs: 0, picture: terminal.picture() }]
  const stop = terminal.onDraw(() => frames.push({ atMs: now(), picture: terminal.picture() }))
  const waits = []
  await sleep(800)
  for (const { type, key, save, until = isPrompt, readMs } of steps) {
    for (const sign of type ?? '') {
      terminal.type(sign)
      await sleep(keyMs)
    }
    if (type) terminal.key('enter')
    if (key) terminal.key(key)
    if (save) saveAsEditor(path.join(dir, 'workspace', save.file), save)
    const fromMs = now()
    await terminal.waitFor(until, { timeoutMs: 60_000 })
    waits.push({ fromMs, toMs: now() })
    await sleep(readMs)
  }
  // What a shell says when its window closes isn't part of the tour.
  stop()
  return { frames, waits, endMs: now() }
}

/** @param {string} file @param {{ from: string, to: string }} change */
function saveAsEditor (file, { from, to }) {
  const text = fs.readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`The tour wants to replace ${JSON.stringify(from)} in ${file}: not there.`)
  fs.writeFileSync(file, text.replace(from, () => to))
}
