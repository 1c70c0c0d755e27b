import { concludeFitness, runCheck } from '../../runner/check/index.js'
import { kindOf, mean, sayMeasured } from '../../runner/judge/index.js'
import { findLessons, loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { inTurn } from '../../runner/process/index.js'
import {
  capabilitiesOf, createLiveRegion, formatDuration, formatNumber, formatRatio, formatTarget, lessonTable, namedCells,
  secondary, themeFor, verdictCell, wrapText
} from '../../runner/report/index.js'
import { examineMachine, hasState, say, showFindings } from '../../runner/cli/index.js'

/**
 * @import { Finding } from '../../runner/check/index.js'
 * @import { GateResult, ResultRecord } from '../../runner/judge/index.js'
 * @import { LoadedLesson } from '../../runner/lesson/index.js'
 * @import { Given } from '../../runner/cli/index.js'
 * @import { Cell, TextOptions, Theme } from '../../runner/report/index.js'
 */

/**
 * Before a class, on the instructor's machine: is it fit to measure, and does each lesson have enough margin?
 *
 * @param {Pick<Given, 'stdout' | 'env' | 'signal'> & { names: string[], budgetMs?: number }} given names: of lessons;
 *   empty: all. budgetMs: for the rounds of each check
 * @returns {Promise<number>} exit code: 0 fit, 2 doubts, 3 not fit
 */
export async function rehearse ({ names, budgetMs, stdout, env, signal }) {
  const found = names.length > 0
    ? await Promise.all(names.map((name) => resolveLesson(name, { env })))
    : await findLessons({ env })
  // First, so that a broken lesson is not found after minutes. Each once.
  const entries = await Promise.all([...new Map(found.map((entry) => [entry.folder, entry])).values()].map(loadLesson))
  const findings = await examineMachine({ stdout, env, signal })
  stdout.write('\n')
  if (hasState(findings, 'bad')) {
    say(stdout, `${concludeFitness(findings)} No lessons were checked.`)
    return 3
  }
  const lessons = await checkAll({ entries, budgetMs, stdout, signal })
  const advice = adviceFor(lessons)
  stdout.write('\n')
  if (advice.length > 0) {
    showFindings(advice, stdout)
    stdout.write('\n')
  }
  say(stdout, ...concludeRehearsal(lessons, hasState(findings, 'doubt') ? concludeFitness(findings) : ''))
  if (lessons.some(({ record }) => record.verdict === 'error')) return 3
  return hasState([...findings, ...advice], 'doubt') ? 2 : 0
}

/**
 * Checks one reference solution after the other. Shows a table at the end, even when it is stopped.
 *
 * @param {Pick<Given, 'stdout' | 'signal'> & { entries: LoadedLesson[], budgetMs?: number }} given
 * @returns {Promise<Rehearsed[]>}
 */
async function checkAll ({ entries, budgetMs, stdout, signal }) {
  /** @type {Rehearsed[]} */
  const lessons = []
  /** @type {number[]} */
  const took = []
  const left = (elapsedMs = 0) => timeText(remainingMs(took, entries.length - lessons.length) - elapsedMs)
  const what = entries.length === 1
    ? 'One reference solution is checked now'
    : `${entries.length} reference solutions are checked now, one after the other`
  say(stdout, `${what}: ${left()}. Leave the machine alone meanwhile. Ctrl-C ends it and shows what was seen so far.`)
  const tell = (/** @type {string} */ sentence) => say(stdout, sentence)
  const { live, unicode, columns } = capabilitiesOf(stdout)
  // Never wrapped: it is redrawn in place.
  const fit = (/** @type {string} */ text) => `${unicode ? '▸' : '>'} ${text}`.slice(0, columns - 1)
  try {
    await inTurn({ about: 'the rehearsal of a class', tell, signal }, async () => {
      for (const entry of entries) {
        const begun = performance.now()
        const elapsed = () => performance.now() - begun
        const seconds = () => Math.round(elapsed() / 1000)
        const name = `${entry.number} ${entry.lesson.title}`
        const region = live
          ? createLiveRegion({ stream: stdout, lay: () => [fit(`${name}, ${seconds()} s; ${left(elapsed())} left`)] })
          : null
        region?.changed()
        try {
          const rehearsed = await checkReference({ entry, budgetMs, signal })
          lessons.push(rehearsed)
          took.push(elapsed())
        } finally {
          region?.clear()
        }
        const { record, lack } = lessons[lessons.length - 1]
        const doubt = record.verdict === 'pass' && lack !== null ? ', with a doubt' : ''
        const more = lessons.length < entries.length ? `; ${left()} left` : ''
        say(stdout, `${name}: ${record.verdict}${doubt}, ${seconds()} s${more}`)
      }
    })
  } catch (error) {
    if (signal.aborted) {
      say(stdout, `Stopped. Nothing is left running; ${lessons.length} of ${entries.length} lessons were checked.`)
    }
    throw error
  } finally {
    if (lessons.length > 0) stdout.write(`\n${rehearsalTable(lessons, { stream: stdout })}\n`)
  }
  return lessons
}

/**
 * Checks it again if it did not pass: a pass in two checks is too few for a class.
 *
 * @param {{ entry: LoadedLesson, budgetMs?: number, signal: AbortSignal }} given
 */
async function checkReference ({ entry, budgetMs, signal }) {
  const check = async () =>
    (await runCheck({ entry, dir: entry.solutionDir, budgetMs, sampleInside: false, signal })).record
  const first = await check()
  const isClear = first.verdict === 'pass' || first.verdict === 'error'
  return judgeRehearsal(isClear ? [first] : [first, await check()])
}

/** A check of a reference solution usually takes so long (docs/measured.md). */
const usualMs = 14_000

/** Pure. @param {readonly number[]} took ms, for each check so far @param {number} left checks @returns {number} ms */
export function remainingMs (took, left) {
  return left * (took.length > 0 ? mean(took) : usualMs)
}

/** @param {number} ms @returns {string} `about 4 min`, `about 40 s` */
export function timeText (ms) {
  return ms < 90_000 ? `about ${Math.max(5, Math.ceil(ms / 5000) * 5)} s` : `about ${Math.round(ms / 60_000)} min`
}

/**
 * Advice about lessons that lack margin. Pure.
 *
 * @param {readonly Rehearsed[]} lessons
 * @returns {Finding[]} one for each such lesson
 */
export function adviceFor (lessons) {
  return lessons.filter(({ lack }) => lack !== null).map(({ record: { lesson, verdict }, lack }) => ({
    state: verdict === 'error' ? 'bad' : 'doubt',
    what: `Lesson ${lesson.number}, ${lesson.title}: ${lack}`,
    fix: fixOf(verdict, lesson.number)
  }))
}

/** Pure. @param {readonly Rehearsed[]} lessons @param {string} doubts about the machine, a sentence, or none */
export function concludeRehearsal (lessons, doubts) {
  const lacking = lessons.filter(({ lack }) => lack !== null)
  const broken = lacking.filter(({ record }) => record.verdict === 'error')
  const short = lacking.filter((one) => !broken.includes(one))
  const these = lessons.length === 1 ? 'This lesson has' : `All ${lessons.length} lessons have`
  return [
    ...doubts === '' ? [] : [doubts],
    ...broken.length === 0 ? [] : [`Couldn’t be checked on this machine, so don’t count on: ${named(broken)}.`],
    ...short.length === 0 ? [] : [`Without enough margin on this machine: ${named(short)}.`],
    ...lacking.length === 0 ? [`${these} enough margin on this machine.`] : [],
    'Next, try the room itself: npm run class'
  ]
}

/** @param {readonly Rehearsed[]} lessons */
function named (lessons) {
  const numbers = lessons.map(({ record }) => record.lesson.number).join(', ')
  return `${lessons.length === 1 ? 'lesson' : 'lessons'} ${numbers}`
}

/** @param {string} verdict @param {number} number */
function fixOf (verdict, number) {
  const again = `npm run class -- --rehearse ${number}`
  if (verdict === 'error') return `Try it again: ${again}. npm run doctor may say more.`
  return verdict === 'fail'
    ? `Close what else is running, and try again: ${again}. If it fails again, leave the lesson out.`
    : `Close what else is running, or give it and its learners more time: ${again} --seconds 60. ` +
      'If that is not enough, leave the lesson out.'
}

/**
 * How far a reference solution is from its targets, and whether that is enough to take the lesson on this machine.
 * Pure.
 *
 * @typedef {object} Margin
 * @property {GateResult} gate the one with the least margin
 * @property {number} margin its estimate relative to its target: 1 is on it, below is missed
 * @property {number | null} certain the same for the end of the deciding interval that lies towards the target
 *
 * @typedef {ReturnType<typeof judgeRehearsal>} Rehearsed
 */

/**
 * Within a fifth of its target a check mostly stays inconclusive, on any machine (docs/measured.md), and a learner's
 * honest fix is often a little slower than the reference. The certain end decides nothing here: a check stops as soon
 * as that has passed the target, so it is close to it in the best of cases.
 */
const leastMargin = 1.2

/**
 * How far a ratio is from its target. Where a figure cannot leave a narrow range, its distance from the ideal.
 *
 * @param {Pick<GateResult, 'kind' | 'direction' | 'ratio'>} result
 * @param {number} target
 * @returns {number} NaN where nothing was measured
 */
export function marginOf ({ kind, direction, ratio }, target) {
  const reached = ratio ?? NaN
  const isAtLeast = direction === 'at least'
  if (!kindOf(kind).bounded) return isAtLeast ? reached / target : target / reached
  const fromIdeal = (/** @type {number} */ value) => isAtLeast ? 1 - value : value - 1
  return fromIdeal(target) / Math.max(fromIdeal(reached), 0.001)
}

/** @param {Pick<ResultRecord, 'gates'>} record @returns {Margin | null} */
export function leastMarginOf ({ gates }) {
  const margins = gates.flatMap((gate) => {
    const { target, interval, direction } = gate
    if (target === null || gate.ratio === null) return []
    const bound = interval && interval[direction === 'at least' ? 0 : 1]
    return [{
      gate,
      margin: marginOf(gate, target),
      certain: bound === null ? null : marginOf({ ...gate, ratio: bound }, target)
    }]
  })
  return margins.sort((a, b) => a.margin - b.margin)[0] ?? null
}

/**
 * What the checks of a lesson's reference solution say of the lesson on this machine.
 *
 * @param {readonly ResultRecord[]} records at least one, in the order of their making
 * @returns record: of the last check; least: null: nothing was measured; lack: why the lesson lacks margin here, a
 *   clause; null: it has enough
 */
export function judgeRehearsal (records) {
  const record = records[records.length - 1]
  const least = leastMarginOf(record)
  return { record, least, lack: lackOf(records, record, least) }
}

/** @param {readonly ResultRecord[]} records @param {ResultRecord} record @param {Margin | null} least */
function lackOf (records, record, least) {
  if (record.verdict === 'error') return `its check couldn’t be completed. ${record.reason}`
  if (record.verdict === 'fail') return `its reference solution doesn’t pass here. ${record.reason}`
  if (record.verdict === 'inconclusive') return `it’s unclear here whether its reference passes. ${record.reason}`
  if (least !== null && least.margin < leastMargin) {
    return `its reference solution passes with little margin. ${least.gate.name}: ${sayMeasured(least.gate)}.`
  }
  return records.length > 1 ? `its reference solution passes in only one of ${records.length} checks.` : null
}

const marginNote = 'margin: for the gate that has the least, its ratio relative to its target. certain: the same for ' +
  'the end of the deciding interval nearest the target; a check stops once that is settled, so it is near 1.'
const briefNote = 'margin: for the gate that has the least, its ratio relative to its target.'

/** The least telling column goes first. */
const columns = {
  heads: ['#', 'lesson', 'verdict', 'least margin in', 'ratio', 'target', 'margin', 'certain', 'time'],
  going: ['least margin in', 'lesson', 'certain', 'target', 'ratio']
}

/**
 * One row for each lesson, with the gate that has the least margin, and what the columns mean. Pure.
 *
 * @param {readonly Rehearsed[]} lessons
 * @param {TextOptions} [options]
 * @returns {string} without a newline at the end
 */
export function rehearsalTable (lessons, options) {
  const theme = themeFor(options)
  const { heads, lines } = lessonTable(lessons.map((one) => cellsOf(one, theme)), columns, theme)
  const meaning = wrapText(heads.includes('certain') ? marginNote : briefNote, theme.columns)
  return [...lines, '', ...meaning.map((line) => theme.paint('secondary', line))].join('\n')
}

/** @param {Rehearsed} rehearsed @param {Theme} theme @returns {Record<string, Cell>} by the head of their column */
function cellsOf ({ record, least, lack }, theme) {
  const { marks, line } = theme
  const times = (/** @type {number | null | undefined} */ value) => value === null || value === undefined
    ? marks.none
    : `${formatNumber(value, marks.none)}${marks.times}`
  return {
    ...namedCells(record.lesson, theme),
    verdict: verdictCell(record, theme),
    'least margin in': { text: least === null ? '' : line(least.gate.name) },
    ratio: { text: least === null ? marks.none : formatRatio(least.gate, marks) },
    target: { text: least === null ? marks.none : formatTarget(least.gate, marks) },
    margin: { text: times(least?.margin), style: lack === null ? 'pass' : 'inconclusive' },
    certain: secondary(times(least?.certain)),
    time: secondary(formatDuration(record.durationMs, marks.none))
  }
}
