import { once } from 'node:events'
import os from 'node:os'
import { findLessons, lessonsRoot, loadLesson, readTimes, workspaceRoot } from '../../lesson/index.js'
import { coreSpeed, cpuLimit, describeMachine, inTurn, judgedOn, paceOf } from '../../process/index.js'
import { blockText } from '../../report/index.js'
import { flag, openLink, portOf, say, text } from '../say.js'

/**
 * The workshop in a browser, and what its machine is good for.
 *
 * @import { Finding } from '../../check/index.js'
 * @import { Command, Given, Output } from '../say.js'
 */

/** @type {Command} */
export const start = {
  options: { port: text, 'no-open': flag },
  maxPositionals: 0,
  stays: true,
  usage: 'npm start [-- --port N] [--no-open]',
  help: `Open the whole workshop in your browser.
Lessons, checks, profiles and hints, on this machine alone, and without a network. Ctrl-C stops it. If it's already
open, the same command lets in another browser.

  --port N    default: any free one
  --no-open   print a link, and open nothing`,

  async run ({ values, stdout, env, signal }) {
    const { startWeb } = await import('../../web/index.js')
    const { newLink, isNew, close } = await startWeb({ env, port: portOf(values.port), signal })
    try {
      say(stdout, isNew ? 'The workshop is open, here:' : 'The workshop is already open, here:')
      stdout.write(`\n  ${newLink()}\n\n`)
      const isOpened = values['no-open'] || await openLink(newLink(), workspaceRoot(env))
      if (!isOpened) say(stdout, 'No browser could be opened from here: open that link yourself.')
      say(stdout, 'It works once, and the browser that opens it is remembered.')
      if (!isNew) return 0
      say(stdout, 'Ctrl-C stops it.')
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await close()
    }
    say(stdout, 'Stopped. Nothing is left running.')
    return 0
  }
}

/** @type {Command} */
export const doctor = {
  options: {},
  usage: 'npm run doctor',
  help: `Is this machine fit to measure?
Looks at Node.js, cores, load, power, ports and folders, measures two identical servers against each other for a few
seconds, and says how long a check of each lesson takes here. Exit code: 0 fit, 2 fit with doubts, 3 not fit.`,

  async run ({ stdout, env, signal }) {
    const { concludeFitness } = await import('../../check/index.js')
    const found = await examineMachine({ stdout, env, signal })
    if (hasState(found, 'bad')) return 3
    stdout.write('\n')
    await showExpectations({ stdout, env })
    say(stdout, concludeFitness(found))
    return hasState(found, 'doubt') ? 2 : 0
  }
}

const marks = { good: 'ok', doubt: 'doubt', bad: 'bad' }

/**
 * Is this machine fit to measure? Shows each finding as soon as it is known.
 *
 * @param {Pick<Given, 'stdout' | 'env' | 'signal'>} given
 * @returns {Promise<Finding[]>} nothing is measured if a finding at rest is bad
 */
export async function examineMachine ({ stdout, env, signal }) {
  // Few commands need the checks.
  const { examineAtRest, examineUnderLoad } = await import('../../check/index.js')
  const machine = describeMachine()
  say(stdout, `${machine.cpu}, ${machine.cores} cores, ${machine.platform}, Node.js ${machine.node}`)
  stdout.write('\n')

  const first = await examineAtRest({ folders: [os.tmpdir(), workspaceRoot(env)], signal })
  showFindings(first, stdout)
  if (hasState(first, 'bad')) return first

  const turn = { about: 'the doctor', tell: (/** @type {string} */ sentence) => say(stdout, sentence), signal }
  const second = await inTurn(turn, () => {
    stdout.write('\n')
    return examineUnderLoad({ tell: turn.tell, signal })
  })
  showFindings(second, stdout)
  return [...first, ...second]
}

/** @param {readonly Finding[]} findings @param {Finding['state']} state */
export function hasState (findings, state) {
  return findings.some((finding) => finding.state === state)
}

/** @param {readonly Finding[]} findings @param {Output} stdout */
export function showFindings (findings, stdout) {
  const rows = findings.flatMap(({ state, what, fix }) => [[marks[state], what], ...fix ? [['', fix]] : []])
  stdout.write(`${blockText({ rows }, { stream: stdout })}\n`)
}

/** @param {Pick<Given, 'stdout' | 'env'>} given */
async function showExpectations ({ stdout, env }) {
  const entries = await Promise.all((await findLessons({ env })).map(loadLesson))
  const { expectations } = await import('../../check/index.js')
  const expected = expectations(entries, {
    times: readTimes(lessonsRoot(env)),
    pace: paceOf(coreSpeed(), cpuLimit()),
    machine: judgedOn()
  })
  const rows = expected.filter(({ text }) => text !== '').map(({ lesson, text }) => [lesson, text])
  if (rows.length === 0) return
  say(stdout, 'What a check takes here:')
  stdout.write(`${blockText({ rows }, { stream: stdout })}\n\n`)
}
