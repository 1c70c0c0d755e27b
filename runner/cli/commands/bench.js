import { stripVTControlCharacters } from 'node:util'
import { WorkshopError } from '../../errors.js'
import { inTurn } from '../../process/index.js'
import { newSeed } from '../../random.js'
import { blockText, capabilitiesOf } from '../../report/index.js'
import { say, wholeNumber } from '../say.js'
import { findEntry } from './which.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Figures } from '../../load/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { Flag, Given, Output } from '../say.js'
 */

/** @type {Record<string, Flag>} */
export const options = {
  server: { type: 'string' },
  load: { type: 'string' },
  connections: { type: 'string' },
  seconds: { type: 'string', default: '5' },
  seed: { type: 'string' }
}

export const usage = 'npm run bench lesson-N [slow|mine|solution] [-- --seconds 5] [--connections N] [--load NAME]'

export const help = `Load one server for a few seconds and show autocannon's table, as you'd get it by hand.
Every answer is checked as well: the table alone doesn't tell a right answer from a wrong one.

  slow | mine | solution   which server, default mine
  --server DIR             or any other folder with a server.js
  --seconds N              how long, default 5
  --connections N          how many, default those of the lesson
  --load NAME              which of the lesson's loads, default the first

In a lesson that grades a load plan it runs the plan once, on a server and on a slower one.`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env, signal }) {
  const { entry, dir, which } = await findEntry(positionals, { env, usage, server: values.server })
  /** @type {Parameters<typeof inTurn>[0]} */
  const turn = { about: { kind: 'bench', entry, dir }, tell: (sentence) => say(stdout, sentence), signal }
  if (entry.lesson.kind === 'load plan') {
    return inTurn(turn, () => benchPlan({ entry, dir, which, stdout, seed: values.seed ?? newSeed(), signal }))
  }
  const given = {
    entry,
    dir,
    loadName: loadOf(entry, values.load),
    connections: values.connections === undefined
      ? undefined
      : wholeNumber('--connections', values.connections, 1, 1000),
    seconds: wholeNumber('--seconds', values.seconds, 1, 600),
    seed: values.seed ?? newSeed(),
    signal
  }
  const { benchOne } = await import('../../load/index.js')
  return inTurn(turn, async () => {
    const { table, figures, counts, answers, wrong, problems } = await benchOne({
      ...given,
      onStart: ({ loadName, connections, seconds }) => say(stdout, `Lesson ${entry.number}, ${which}: load ` +
        `“${loadName}” from ${connections} connections for ${seconds} s …`)
    })
    signal.throwIfAborted()
    const room = capabilitiesOf(stdout)
    const widest = Math.max(...stripVTControlCharacters(table).split('\n').map(({ length }) => length))
    if (room.uncut || widest <= room.columns) stdout.write(`${table}\n\n`)
    else stdout.write(`${blockText(narrowTable(figures, counts), { stream: stdout })}\n\n`)
    if (problems.length === 0) say(stdout, `All ${answers} answers were right.`)
    else say(stdout, `${wrong > 0 ? `${wrong} of ${answers} answers were wrong` : 'It ended early'}: ${problems[0]}`)
    return problems.length === 0 ? 0 : 1
  })
}

/** @param {LoadedLesson} entry @param {string} [name] */
function loadOf ({ number, lesson: { loads } }, name) {
  if (name === undefined || Object.hasOwn(loads, name)) return name
  throw new WorkshopError(`Lesson ${number} has no load called ${name}; it has ${Object.keys(loads).join(', ')}.`)
}

/** People don't wait any longer for one run of a load plan. */
const longestRunMs = 10_000

/**
 * @param {{ entry: LoadedLesson, dir: string, which: string, stdout: Output, seed: string, signal: AbortSignal }} given
 */
async function benchPlan ({ entry, dir, which, stdout, seed, signal }) {
  const { tryLoadPlan } = await import('../../check/index.js')
  say(stdout, `Lesson ${entry.number}, ${which}: once, on a server and on one that is slower …`)
  const { figures, unit, answers, wrong, problems, elapsedMs, cut } = await tryLoadPlan({
    entry,
    dir,
    seed,
    longestMs: longestRunMs,
    signal
  })
  const show = (/** @type {number | null} */ figure) =>
    figure === null ? 'no answer' : `${Number(figure.toPrecision(3))} ${unit}`
  stdout.write(`  the faster server  ${show(figures[0])}\n  the slower server  ${show(figures[1])}\n`)
  say(
    stdout,
    `${answers} answers in ${Number((elapsedMs / 1000).toPrecision(3))} ` +
      `s.${cut ? ` Each run was cut short after ${longestRunMs / 1000} s.` : ''}`
  )
  if (problems.length > 0) say(stdout, `${wrong} requests got a wrong answer, or none: ${problems[0]}`)
  return problems.length === 0 ? 0 : 1
}

/** The statistics of autocannon's table, by their titles there. */
const statistics = {
  '1%': 'p1',
  '2.5%': 'p2_5',
  '50%': 'p50',
  '97.5%': 'p97_5',
  '99%': 'p99',
  Avg: 'average',
  Stdev: 'stddev',
  Min: 'min',
  Max: 'max'
}

/**
 * autocannon's figures as a narrow table, for windows in which its own would break.
 *
 * @param {Figures} figures
 * @param {string} counts autocannon's lines below its table
 * @returns {Omit<Section, 'title'>}
 */
export function narrowTable ({ latency, requests, bytes }, counts) {
  const whole = (/** @type {number | undefined} */ value) => value === undefined ? '' : value.toLocaleString('en')
  const rows = Object.entries(statistics).map(([title, stat]) => [
    title,
    stat === 'min' || stat === 'p1' ? '' : `${whole(latency[stat])} ms`,
    stat === 'max' || stat === 'p99' ? '' : whole(requests[stat]),
    stat === 'max' || stat === 'p99' ? '' : `${whole(Number((bytes[stat] / 1e6).toPrecision(3)))} MB`
  ])
  return {
    columns: ['Stat', '#Latency', '#Req/Sec', '#Bytes/Sec'],
    rows,
    notes: counts.split('\n')
  }
}
