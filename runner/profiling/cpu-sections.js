import { percentInColumn as percent } from '../format.js'
import { summarise, theThread } from '../inside/index.js'
import { requestMs } from './cpu.js'

/**
 * The summary of a CPU profile in sections for the terminal. Pure.
 *
 * @import { Change, FunctionTime, Summary } from '../inside/index.js'
 * @import { Section } from '../report/index.js'
 * @import { CpuAnalysis, Recording, Thread } from './cpu.js'
 */

const longest = 10
/** With more idle time than this, function tables say little. */
const mostlyIdle = 0.7
const leftOut = 'Left out, since this thread mostly waits: `-- --all` shows them.'

/**
 * @param {CpuAnalysis} read
 * @param {Recording} recording
 * @param {{ all?: boolean }} [options] all: the tables of a thread that is mostly idle, too
 * @returns {Section[]}
 */
export function cpuSections ({ summary, sentences }, recording, { all = false } = {}) {
  const isIdle = summary.shares.idle > mostlyIdle && !all
  return [
    { title: 'Reading', text: sentences },
    whereTimeGoes(summary, recording),
    ...isIdle ? [{ title: 'Tables', text: [leftOut] }] : tables(summary),
    ...others(recording)
  ].filter(({ text = [], rows = [] }) => text.length + rows.length > 0)
}

/** @param {Summary} summary @returns {Section[]} */
function tables (summary) {
  return [
    functionsSection(
      'Your code',
      'total',
      summary.functions.filter(({ owner }) => owner === 'yours'),
      summary.wallMs,
      'Time in each of your functions, with everything that it called.'
    ),
    functionsSection(
      'Self time',
      'self',
      summary.functions.filter(({ owner }) => owner !== 'idle'),
      summary.wallMs,
      'Time in the function itself, your code or not; yours is bold.'
    ),
    functionsSection(
      'Total time',
      'total',
      summary.functions.filter(({ owner }) => owner !== 'idle'),
      summary.wallMs,
      'The same with everything that it called: a frame above is never smaller than what it called.'
    ),
    callersSection(summary)
  ]
}

/**
 * @param {{ before: CpuAnalysis, after: CpuAnalysis, changes: Change[], recordings: [Recording, Recording],
 *   names?: [string, string] }} given names: of the two
 * @returns {Section[]}
 */
export function comparisonSections ({ before, after, changes, recordings: [slow, mine], names }) {
  const [first, second] = names ?? ['slow', 'yours']
  return [
    { title: names?.[0] ?? 'Slow', text: before.sentences },
    { title: names?.[1] ?? 'Yours', text: after.sentences },
    {
      title: 'A request',
      head: true,
      align: ['left', 'right', 'right'],
      rows: [
        ['', first, second],
        [
          'JavaScript, native code and GC in recorded threads',
          milliseconds(requestMs(before, slow)),
          milliseconds(requestMs(after, mine))
        ],
        ['idle', percent(before.summary.shares.idle), percent(after.summary.shares.idle)],
        ['answers recorded', String(slow.answers), String(mine.answers)]
      ]
    },
    {
      title: 'Changed',
      text: [
        'Self time for one request in ms, the largest change first; the functions of the server’s own files are bold.'
      ],
      head: true,
      align: ['right', 'right', 'right', 'left', 'left'],
      rows: [
        ['change', first, second, 'function', 'where'],
        ...changes
          .slice(0, 2 * longest)
          .map(({ name, place, beforeMs, afterMs }) => [
            signed(afterMs - beforeMs),
            digits(beforeMs),
            digits(afterMs),
            shownName({ name, place }),
            place
          ])
      ],
      strong: changes.slice(0, 2 * longest).flatMap(({ owner }, at) => (owner === 'yours' ? [at + 1] : []))
    },
    ...others(mine)
  ]
}

/** @param {Summary} summary @param {Recording} recording @returns {Section} */
function whereTimeGoes ({ shares, wallMs }, { threads, answers, cores }) {
  const busyMs = wallMs * (1 - shares.idle)
  return {
    title: 'Time',
    rows: [
      ['JavaScript', percent(shares.javascript)],
      ['native code', percent(shares.native)],
      ['garbage collection', percent(shares.gc)],
      ['idle', percent(shares.idle)]
    ],
    align: ['left', 'right'],
    notes: [
      `${answers} answers in ${(wallMs / 1000).toFixed(1)} s` + (threads.length === 1
        ? `: ${milliseconds(busyMs / Math.max(1, answers))} of the main thread for each.`
        : `; these are the shares of ${theThread(threads[0].title)}.`) +
        (cores === null ? '' : ` All threads together kept ${cores.toFixed(1)} cores busy.`)
    ]
  }
}

/**
 * @param {string} title
 * @param {'self' | 'total'} by
 * @param {FunctionTime[]} functions
 * @param {number} wallMs
 * @param {string} explanation
 * @returns {Section}
 */
function functionsSection (title, by, functions, wallMs, explanation) {
  const ms = (/** @type {FunctionTime} */ one) => by === 'self' ? one.selfMs : one.totalMs
  const shown = functions.filter((one) => ms(one) > 0).sort((a, b) => ms(b) - ms(a)).slice(0, longest)
  if (shown.length === 0) return { title }
  return {
    title,
    text: [explanation],
    head: true,
    align: ['right', 'left', 'left'],
    rows: [[by, 'function', 'where'], ...shown.map((one) => [percent(ms(one) / wallMs), shownName(one), one.place])],
    strong: title === 'Your code' ? [] : shown.flatMap(({ owner }, at) => owner === 'yours' ? [at + 1] : [])
  }
}

/** @param {Summary} summary @returns {Section} */
function callersSection ({ hottest, callers, wallMs }) {
  if (!hottest) return { title: 'Bottom up' }
  return {
    title: 'Bottom up',
    text: [
      'The hottest function, and through whom most of its time came: read from the top, each was called by the next.'
    ],
    align: ['right', 'left', 'left'],
    rows: [
      [percent(hottest.selfMs / wallMs), shownName(hottest), hottest.place],
      ...callers.slice(0, longest).map((one) => [percent(one.share), shownName(one), one.place])
    ],
    strong: callers.slice(0, longest).flatMap(({ owner }, at) => (owner === 'yours' ? [at + 1] : []))
  }
}

/** @param {Recording} recording @returns {Section[]} */
function others ({ threads, missing, problems }) {
  const busy = (/** @type {Thread} */ { profile }) => 1 - summarise(profile).shares.idle
  /** @type {Section[]} */
  const sections = [
    {
      title: 'Threads',
      align: ['left', 'right'],
      rows: threads.length < 2 ? [] : threads.map((thread) => [thread.title, `busy ${percent(busy(thread))}`]),
      notes: missing
    },
    { title: 'Not seen', text: threads.length < 2 ? missing : [] },
    { title: 'Wrong', text: problems.slice(0, 3) }
  ]
  return sections.filter(({ text = [], rows = [] }) => text.length + rows.length > 0)
}

/** The next column says where. @param {{ name: string, place: string }} one */
function shownName ({ name, place }) {
  return name === `function at ${place}` ? '(no name)' : name
}

/** @param {number} ms */
function milliseconds (ms) {
  return `${digits(ms)} ms`
}

/** @param {number} ms */
function signed (ms) {
  return `${ms < 0 ? '−' : '+'}${digits(Math.abs(ms))}`
}

/** Two or three digits; less than a microsecond is shown as 0. @param {number} ms */
function digits (ms) {
  return ms < 0.001 ? '0' : String(Number(ms.toPrecision(ms < 0.1 ? 2 : 3)))
}
