import { milliseconds, msDigits, percentInColumn as percent } from '../../shared/format.js'
import {
  callsOf, changePerRequest, keyOf, mergeTrees, readSentences, shownName, summarise, theThread
} from '../../inside/index.js'
import { flamePage } from '../pages/flame-page.js'
import { recordCpu } from '../record-cpu.js'
import { routesIn, sourceOf } from '../under-load.js'

/**
 * @import { Change, FunctionTime, Owner } from '../../inside/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { FlameSource } from '../pages/flame-page.js'
 * @import { ToolGiven, ToolResult } from '../profile-files.js'
 * @import { CpuRecording } from '../record-cpu.js'
 * @import { Target } from '../under-load.js'
 */

/**
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, which, title, compareWith, names, all, seconds, files, say }) {
  const record = (/** @type {Target} */ one, /** @type {string} */ name) => {
    say(`Recording ${name} for ${seconds} s …`)
    return recordCpu(one, { seconds })
  }
  const before = compareWith && await record(compareWith, names?.[0] ?? 'the slow server')
  const recording = await record(target, which)
  const read = readRecording(recording)
  const slow = before && readRecording(before)
  const changes = slow === null ? [] : changePerRequest(slow, read)
  const kept = []
  for (const [at, { raw }] of recording.threads.entries()) {
    kept.push(await files.write(at === 0 ? '.cpuprofile' : `.${at + 1}.cpuprofile`, JSON.stringify(raw)))
  }
  const sectionsOf = (/** @type {boolean | undefined} */ all) =>
    slow === null ? cpuSections(read, { all }) : comparisonSections(slow, read, changes, { names, all })
  await files.write('.json', JSON.stringify(cpuFigures(read, slow, sectionsOf(true))))
  const report = await files.write('.html', flamePage({
    title,
    sentences: read.sentences,
    before: compareWith && before && pictured(before, compareWith.dir),
    after: pictured(recording, target.dir),
    changes: slow === null ? undefined : changesSection(changes, names),
    names
  }))
  return { sections: sectionsOf(all), report, kept }
}

/** @param {CpuRecording} recording @param {string} dir of the server @returns {FlameSource} */
function pictured ({ threads, answers }, dir) {
  return { answers, threads: threads.map(({ title, profile }) => ({ title, profile })), routeAt: routesIn(dir) }
}

/**
 * One CPU recording is read once. From that come the sections for the terminal, and the figures for the page next to
 * the code and for the answer to a prediction.
 *
 * @typedef {ReturnType<typeof readRecording>} CpuAnalysis threads: each with its summary, the one with the most work
 *   first; functions: of all threads; requestMs: of all recorded threads per request, without idling
 *
 * @param {CpuRecording} recording
 */
export function readRecording ({ threads, coverage, countedAnswers, ...recording }) {
  const summaries = threads.map(({ title, profile }) => ({ title, ...summarise(profile.root) }))
  const [first] = summaries
  const calls = first.charged ? callsOf(first.charged, coverage, sourceOf) : null
  const sentences = readSentences(first, {
    callsPerRequest: calls === null || countedAnswers === 0 ? null : calls / countedAnswers,
    cores: threads.length === 1 ? recording.cores : null,
    coreless: threads[0].coreless,
    thread: first.title
  })
  const { functions } = summarise(mergeTrees(threads.map(({ profile }) => profile.root)))
  const busyMs = functions.filter(isBusy).reduce((sum, { selfMs }) => sum + selfMs, 0)
  return { ...recording, threads: summaries, functions, sentences, requestMs: busyMs / Math.max(1, recording.answers) }
}

/** @param {{ owner: Owner }} one */
function isBusy ({ owner }) {
  return owner !== 'idle'
}

/**
 * What the workshop keeps of a CPU profile, next to its report.
 *
 * @typedef {object} SeenFunction
 * @property {string} name
 * @property {string} place `lib/users.js:31`; empty for native code
 * @property {string | null} file `lib/users.js`, relative to the server's folder; null: not the server's own
 * @property {number} line from 1
 * @property {Owner} owner
 * @property {string} thread in which it has the largest share: `main thread`
 * @property {number} self share of that thread's time, 0 to 1
 * @property {number} total including everything it called
 * @property {number} charged for the server's own only: itself, and foreign code that it called directly. These add up
 * @property {{ line: number, self: number }[]} [lines] for the server's own: the share of each line
 *
 * @typedef {object} CpuFigures
 * @property {2} version
 * @property {string[]} sentences
 * @property {SeenFunction[]} functions the largest total first, without idling
 * @property {Pick<CpuFigures, 'sentences' | 'functions'> | null} slow null: not compared
 * @property {Section[]} sections
 */

/** Too small to matter at any line. */
const leastShare = 0.0005

/**
 * @param {CpuAnalysis} read
 * @param {CpuAnalysis | null} slow null: not compared
 * @param {Section[]} sections
 * @returns {CpuFigures}
 */
export function cpuFigures (read, slow, sections) {
  const figuresOf = (/** @type {CpuAnalysis} */ one) => ({ sentences: one.sentences, functions: functionsOf(one) })
  return { version: 2, ...figuresOf(read), slow: slow && figuresOf(slow), sections }
}

/** @param {CpuAnalysis} read @returns {SeenFunction[]} */
function functionsOf ({ threads }) {
  /** @type {Map<string, { one: FunctionTime, thread: string, wallMs: number }>} */
  const largest = new Map()
  for (const { title: thread, wallMs, functions } of threads) {
    for (const one of functions) {
      const known = largest.get(keyOf(one))
      if (!known || one.totalMs / wallMs > known.one.totalMs / known.wallMs) {
        largest.set(keyOf(one), { one, thread, wallMs })
      }
    }
  }
  return [...largest.values()]
    .filter(({ one, wallMs }) => isBusy(one) && one.totalMs >= leastShare * wallMs)
    .map(({ one, thread, wallMs }) => ({
      name: one.name,
      place: one.place,
      file: one.owner === 'yours' ? one.place.slice(0, -`:${one.line}`.length) : null,
      line: one.line,
      owner: one.owner,
      thread,
      self: rounded(one.selfMs / wallMs),
      total: rounded(one.totalMs / wallMs),
      charged: rounded(one.chargedMs / wallMs),
      ...one.owner === 'yours' && { lines: linesOf(one, wallMs) }
    }))
    .sort((a, b) => b.total - a.total)
}

/** @param {FunctionTime} one @param {number} wallMs */
function linesOf ({ lineMs }, wallMs) {
  return Object.entries(lineMs).map(([line, ms]) => ({ line: Number(line), self: rounded(ms / wallMs) }))
    .filter(({ self }) => self >= leastShare)
}

/** A page shows three digits at most. @param {number} value */
function rounded (value) {
  return Number(value.toPrecision(4))
}

const longest = 10
const mostChanges = 30
/** With more idle time than this, function tables say little. */
const mostlyIdle = 0.7
const leftOut = 'Left out, since this thread mostly waits: `-- --all` shows them.'

/**
 * @param {CpuAnalysis} read
 * @param {{ all?: boolean }} [options] all: the tables of a thread that is mostly idle, too
 * @returns {Section[]}
 */
export function cpuSections (read, { all = false } = {}) {
  const isIdle = read.threads[0].shares.idle > mostlyIdle && !all
  return [
    { title: 'Reading', text: read.sentences },
    whereTimeGoes(read),
    ...isIdle ? [{ title: 'Tables', text: [leftOut] }] : functionTables(read),
    ...otherSections(read)
  ]
}

/** @param {CpuAnalysis} read @returns {Section[]} */
function functionTables ({ threads: [summary] }) {
  const busy = summary.functions.filter(isBusy)
  /** @param {'selfMs' | 'totalMs'} by @param {FunctionTime[]} functions @returns {Omit<Section, 'title'>} */
  const tableOf = (by, functions) => {
    const shown = functions.filter((one) => one[by] > 0).sort((a, b) => b[by] - a[by]).slice(0, longest)
    return {
      columns: [by === 'selfMs' ? '#self' : '#total', 'function', 'where'],
      rows: shown.map((one) => [percent(one[by] / summary.wallMs), shownName(one), one.place]),
      strong: ownRows(shown)
    }
  }
  const parts = [
    {
      title: 'Your code',
      text: ['Time in each of your functions, with everything that it called.'],
      ...tableOf('totalMs', busy.filter(({ owner }) => owner === 'yours')),
      strong: []
    },
    {
      title: 'Self time',
      text: ['Time in the function itself, your code or not; yours is bold.'],
      ...tableOf('selfMs', busy)
    },
    {
      title: 'Total time',
      text: ['The same with everything that it called: a frame above is never smaller than what it called.'],
      ...tableOf('totalMs', busy)
    },
    callersSection(summary)
  ]
  return parts.filter(({ rows = [] }) => rows.length > 0)
}

/** @param {CpuAnalysis['threads'][0]} summary @returns {Section} */
function callersSection ({ hottest, callers, wallMs }) {
  if (!hottest) return { title: 'Bottom up' }
  const shown = callers.slice(0, longest)
  return {
    title: 'Bottom up',
    text: [
      'The hottest function, and through whom most of its time came: read from the top, each was called by the next.'
    ],
    columns: ['#', '', ''],
    rows: [
      [percent(hottest.selfMs / wallMs), shownName(hottest), hottest.place],
      ...shown.map((one) => [percent(one.share), shownName(one), one.place])
    ],
    strong: ownRows(shown).map((at) => at + 1)
  }
}

/** @param {CpuAnalysis} read @returns {Section} */
function whereTimeGoes ({ threads: [{ title, shares, wallMs }, ...others], answers, cores }) {
  const busyMs = wallMs * (1 - shares.idle)
  return {
    title: 'Time',
    columns: ['', '#'],
    rows: [
      ['JavaScript', percent(shares.javascript)],
      ['native code', percent(shares.native)],
      ['garbage collection', percent(shares.gc)],
      ['idle', percent(shares.idle)]
    ],
    notes: [
      `${answers} answers in ${(wallMs / 1000).toFixed(1)} s` + (others.length === 0
        ? `: ${milliseconds(busyMs / Math.max(1, answers))} of the main thread for each.`
        : `; these are the shares of ${theThread(title)}.`) +
        (cores === null ? '' : ` All threads together kept ${cores.toFixed(1)} cores busy.`)
    ]
  }
}

/**
 * @param {CpuAnalysis} slow
 * @param {CpuAnalysis} mine
 * @param {Change[]} changes
 * @param {{ names?: [string, string], all?: boolean }} [options] names: of the two; all: the tables of functions, too
 * @returns {Section[]}
 */
export function comparisonSections (slow, mine, changes, { names, all = false } = {}) {
  const [first, second] = names ?? ['slow', 'yours']
  const idleIn = (/** @type {CpuAnalysis} */ { threads: [{ shares }] }) => percent(shares.idle)
  return [
    { title: names?.[0] ?? 'Slow', text: slow.sentences },
    { title: names?.[1] ?? 'Yours', text: mine.sentences },
    {
      title: 'A request',
      columns: ['', `#${first}`, `#${second}`],
      rows: [
        [
          'JavaScript, native code and GC in recorded threads',
          milliseconds(slow.requestMs),
          milliseconds(mine.requestMs)
        ],
        ['idle', idleIn(slow), idleIn(mine)],
        ['answers recorded', String(slow.answers), String(mine.answers)]
      ]
    },
    changesSection(changes, names),
    ...all ? functionTables(mine) : [],
    ...otherSections(mine)
  ]
}

/** @param {Change[]} changes @param {[string, string]} [names] of the two servers @returns {Section} */
export function changesSection (changes, [first, second] = ['slow', 'yours']) {
  const shown = changes.slice(0, mostChanges)
  return {
    title: 'Changed',
    text: [
      'Self time for one request in ms, the largest change first; the functions of the server’s own files are bold.'
    ],
    columns: ['#change', `#${first}`, `#${second}`, 'function', 'where'],
    rows: shown.map((one) => [
      `${one.afterMs < one.beforeMs ? '−' : '+'}${msDigits(Math.abs(one.afterMs - one.beforeMs))}`,
      msDigits(one.beforeMs),
      msDigits(one.afterMs),
      shownName(one),
      one.place
    ]),
    most: 2 * longest,
    strong: ownRows(shown)
  }
}

/** @param {CpuAnalysis} read @returns {Section[]} */
function otherSections ({ threads, missing, problems }) {
  const isOne = threads.length < 2
  return [
    {
      title: 'Threads',
      columns: ['', '#'],
      rows: isOne ? [] : threads.map(({ title, shares }) => [title, `busy ${percent(1 - shares.idle)}`]),
      notes: isOne ? [] : missing
    },
    { title: 'Not seen', text: isOne ? missing : [] },
    { title: 'Wrong', text: problems.slice(0, 3) }
  ]
}

/** @param {readonly { owner: Owner }[]} rows */
function ownRows (rows) {
  return rows.flatMap(({ owner }, at) => owner === 'yours' ? [at] : [])
}
