import { percent } from '../../shared/format.js'
import { sparkline } from '../../report/index.js'
import { inParts, longDelayMs, onePerProcess, sumOverTime } from './over-time.js'

/**
 * What a recording means, in sentences, the most important first, and in sections for the terminal and for the page.
 * Pure; every rule that applies has its say, based only on the figures that it names.
 *
 * @import { Section } from '../../report/index.js'
 * @import { Change, Recording, Summary, ThreadSummary, Trend } from './over-time.js'
 *
 * @typedef {'blocked' | 'waits inside' | 'busy' | 'crowded' | 'elsewhere' | 'waits' | 'room' | 'pause' | 'collections'
 *   | 'memory' | 'handles' | 'other threads' | 'nothing'} Rule
 *
 * @typedef {{ rule: Rule, text: string }} Finding
 * @typedef {(summary: Summary, command: string) => Finding | null} Diagnosis null: it does not apply
 */

/** Above this, a thread has no capacity left. */
const full = 0.9
/** Below this, the main thread mostly waits. */
const half = 0.5
/** A share of blocked time too large for chance. */
const oftenBlocked = 0.1
/** A single wait this long is worth a sentence, ms. */
const longPauseMs = 100
/** A busy loop that keeps its processor less busy than this share of its time waits inside a call. */
const waitingShare = 0.6
/** With fewer idle cores in the whole machine, a runnable thread may have to wait for one. */
const roomForOthers = 0.5
/** Threads that got less CPU than this share of their busy time were kept from running. */
const keptShare = 0.8
/** A request that takes this long while the main thread is idle waits for something, ms. */
const longRequestMs = 5
const muchGc = 0.2
/** If this many more cores are used than by the main thread, other threads use them. */
const otherCores = 0.3
/** Growth after a full collection that warming up doesn't explain: bytes, and a share of the initial heap. */
const growthBytes = 4e6
const growthShare = 0.25
const manyHandles = 20

/**
 * @param {Summary} summary
 * @param {{ command: string }} names command: `npm run profile lesson-1 slow`
 * @returns {Finding[]} at least one
 */
export function diagnose (summary, { command }) {
  const found = [loop, pause, collections, memory, handles, otherThreads, crowded]
    .map((diagnosis) => diagnosis(summary, command)).filter((finding) => finding !== null)
  if (found.length > 0) return found
  const { busy, delayMaxMs } = summary.lead
  const text = `Nothing stands out: the event loop is busy ${percent(busy)} of the time, its longest delay is ` +
    `${ms(delayMaxMs)}.`
  return [{ rule: 'nothing', text }]
}

/** @type {Diagnosis} */
const loop = (summary, command) => {
  const { lead, leadCores, threads, spareCores } = summary
  const busy = `The event loop${of(lead, threads)} is busy ${percent(lead.busy)} of the time`
  if (
    lead.busy >= full &&
    leadCores < waitingShare * lead.busy &&
    (spareCores === null || spareCores >= roomForOthers)
  ) {
    const doubt = spareCores === null ? ', or other programs have the processor' : ''
    return {
      rule: 'waits inside',
      text: `${busy}, yet the whole process uses ${cores(leadCores)}: it waits inside a synchronous call (a function ` +
        `whose name ends in Sync, a database in the process)${doubt}. \`${command}\` names the function.`
    }
  }
  if (lead.busy >= half && lead.blocked >= oftenBlocked) {
    return {
      rule: 'blocked',
      text: `${busy} and keeps timers waiting for up to ${ms(lead.delayMaxMs)}: something synchronous runs on the ` +
        `main thread. \`${command}\` names it.`
    }
  }
  if (lead.busy >= full) {
    return {
      rule: 'busy',
      text: `${busy}, in short pieces: a timer seldom waits ${longDelayMs} ms. This thread has no room left. What ` +
        `does it do for each request? \`${command}\` shows it.`
    }
  }
  if (lead.busy < half) return idle(summary, command)
  return null
}

/** @type {Diagnosis} */
const idle = ({ lead, leadCores, requestMs, threads, spareCores }, command) => {
  const share = `The main thread${of(lead, threads)} is idle ${percent(1 - lead.busy)} of the time under load`
  if (requestMs !== null && requestMs < longRequestMs) {
    return { rule: 'room', text: `${share}, and a request takes about ${ms(requestMs)}: this server has room left.` }
  }
  const slow = requestMs === null ? share : `${share}, while a request takes about ${ms(requestMs)}`
  const workers = threads.filter(({ main, pid, busy }) => !main && pid === lead.pid && busy >= half)
  if (workers.length > 0) {
    return {
      rule: 'elsewhere',
      text: `${slow}: it waits for ` +
        `${workers.length === 1 ? `${workers[0].name}, which is` : `${workers.length} worker threads, which are`} ` +
        `busy ${percent(workers.reduce((sum, { busy }) => sum + busy, 0) / workers.length)} of the time: the work is ` +
        `there now. \`${command}\` shows what they do.`
    }
  }
  if (leadCores - lead.busy >= otherCores) {
    return {
      rule: 'elsewhere',
      text: `${slow}: it waits for other threads, which keep ${cores(leadCores - lead.busy)} busy (the thread pool ` +
        'of Node.js, a native module). What is handed to them, and how many of them are there?'
    }
  }
  const processor =
    spareCores !== null && spareCores < roomForOthers
      ? ', or for a processor, of which the machine had none to spare'
      : ''
  return {
    rule: 'waits',
    text: `${slow}: it waits for something outside (an upstream, a database, the disk, a timer, a place in a ` +
      `queue)${processor}. What does one request wait for, and what of that could run at the same time?`
  }
}

/** @type {Diagnosis} */
const pause = ({ lead }) => {
  if (lead.delayMaxMs < longPauseMs || (lead.busy >= half && lead.blocked >= oftenBlocked)) return null
  const longest = Math.max(0, ...lead.gcs.map(({ longestMs }) => longestMs))
  return {
    rule: 'pause',
    text: longest >= lead.delayMaxMs / 2
      ? `A garbage collection stopped the main thread for ${ms(longest)}: how much does it have to look through?`
      : `At ${(lead.delayMaxAtMs / 1000).toFixed(1)} s, a timer had to wait ${ms(lead.delayMaxMs)}: what ran then?`
  }
}

/** @type {Diagnosis} */
const collections = ({ lead }, command) => {
  if (lead.gc < muchGc) return null
  return {
    rule: 'collections',
    text: `Garbage collection takes ${percent(lead.gc)} of the time. What is allocated for every request? ` +
      `\`${withTool(command, 'heap')}\` shows it.`
  }
}

/** @type {Diagnosis} */
const memory = ({ memory: { held: { trend } }, kept, loadMs, answers }, command) => {
  if (trend?.direction !== 'grows') return null
  // Garbage grows as well, but is gone after a collection.
  const grown = kept.after - kept.before
  if (grown < growthBytes || grown < growthShare * kept.before) return null
  const each = answers === 0 ? '' : `, ${kilobytes(grown / answers)} for each answer`
  return {
    rule: 'memory',
    text: `Memory keeps growing under load: a full collection leaves ${megabytes(kept.before)} before it and ` +
      `${megabytes(kept.after)} after it, ${megabytes((grown / loadMs) * 1000)} a second${each}. What is kept after ` +
      'the answer is sent: something more for each request, or a cache that is still filling? ' +
      `\`${withTool(command, 'heap')}\` shows who holds it.`
  }
}

/** @type {Diagnosis} */
const handles = ({ handles: { before, after, trend }, handleKind }) => {
  if (trend?.direction !== 'grows' || after - before < manyHandles || after < 2 * before) return null
  return {
    rule: 'handles',
    text: `Active resources pile up: ${before} before the load, ${after} after ` +
      `it${handleKind === null ? '' : `, most of the new ones ${handleKind}`}. What is opened for a request and ` +
      'never closed?'
  }
}

/** @type {Diagnosis} */
const otherThreads = ({ lead, leadCores, threads }) => {
  if (lead.busy < half || leadCores - lead.busy < otherCores) return null
  return {
    rule: 'other threads',
    text: `The process${of(lead, threads)} keeps ${cores(leadCores)} busy, its main thread ${lead.busy.toFixed(1)} ` +
      'at most: other threads work too (the thread pool, worker threads, V8’s own for collecting and compiling).'
  }
}

/** @type {Diagnosis} */
const crowded = ({ threads, cores: used, spareCores }) => {
  const busy = threads.reduce((sum, one) => sum + one.busy, 0)
  if (spareCores === null || spareCores >= roomForOthers || used >= keptShare * busy) return null
  return {
    rule: 'crowded',
    text: `The threads were busy for ${busy.toFixed(1)} cores and got ${used.toFixed(1)}: the machine had no more, ` +
      'with the load and other programs running, too. Delays are longer than they’d be otherwise.'
  }
}

/** Which of several processes. @param {ThreadSummary} lead @param {readonly ThreadSummary[]} threads */
function of (lead, threads) {
  return threads.some(({ pid }) => pid !== lead.pid) ? ` of process ${lead.pid}, the busiest,` : ''
}

/** @param {string} command @param {string} tool */
function withTool (command, tool) {
  return `${command}${command.includes(' -- ') ? '' : ' --'} --tool ${tool}`
}

/** @param {number} value ms @returns {string} `8.3 ms`, `210 ms` */
function ms (value) {
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(2))} ms`
}

/** @param {number} bytes @returns {string} `31.2 MB` */
function megabytes (bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** @param {number} bytes */
function kilobytes (bytes) {
  if (bytes < 1000) return `${Math.round(bytes)} bytes`
  return `${Number((bytes / 1000).toPrecision(2))} kB`
}

/** @param {number} count */
function cores (count) {
  return `${count.toFixed(1)} ${count.toFixed(1) === '1.0' ? 'core' : 'cores'}`
}

/** With the figures below it, it fits the narrowest window. */
const signsInALine = 32
/** More would fill the window; the page has them all. */
const mostThreads = 8

/**
 * @param {{ findings: Finding[], missing: string | null, problems: string[] }} given
 * @returns {Section[]}
 */
export function readingSections ({ findings, missing, problems }) {
  return [
    { title: 'Reading', text: findings.map(({ text }) => text) },
    { title: 'Not seen', text: missing === null ? [] : [missing] },
    { title: 'Wrong', text: problems.slice(0, 3) }
  ]
}

/** @param {Summary} summary @returns {Section[]} figures under load */
export function figureSections (summary) {
  return [eventLoopSection, workSection, memorySection, collectionsSection, handlesSection].map((of) => of(summary))
}

/**
 * Sparklines for a terminal.
 *
 * @param {Recording} recording @param {Summary} summary @param {string} signs from low to high
 * @returns {Section}
 */
export function overTimeSection ({ threads, load, endMs }, { lead }, signs) {
  const line = (/** @type {{ atMs: number, value: number }[]} */ samples, /** @type {number} */ largest) =>
    sparkline(inParts(samples, { endMs, count: signsInALine }), largest, signs)
  const busy = threads
    .filter(({ name }) => name === lead.name)
    .flatMap(({ points }) => points.map(({ atMs, loopBusy }) => ({ atMs, value: loopBusy })))
  const [heap, rss] = [sumOverTime(threads, ['heapBytes']), sumOverTime(onePerProcess(threads), ['rssBytes'])]
  const most = (/** @type {{ value: number }[]} */ samples) => Math.max(...samples.map(({ value }) => value))
  const loaded = Array.from({ length: signsInALine }, (_, at) => {
    const atMs = endMs * (at + 0.5) / signsInALine
    return { atMs, value: atMs >= load.fromMs && atMs <= load.toMs ? 1 : 0 }
  })
  return {
    title: 'Over time',
    // As figures: sparklines aren't wrapped either.
    columns: ['', '#', '#'],
    rows: [
      ['load', line(loaded, 1), `${((load.toMs - load.fromMs) / 1000).toFixed(1)} s`],
      ['event loop', line(busy, 1), 'up to 100 %'],
      ['heap', line(heap, most(heap)), `up to ${megabytes(most(heap))}`],
      ['memory', line(rss, most(rss)), `up to ${megabytes(most(rss))}`]
    ]
  }
}

/** @param {Summary} summary @returns {Section} */
function eventLoopSection ({ threads }) {
  const isMany = threads.length > mostThreads
  const shown = isMany ? [...threads].sort((a, b) => b.busy - a.busy) : threads
  return {
    title: 'Event loop',
    columns: ['under load', '#busy', '#usual delay', '#largest', '#in GC'],
    rows: shown.map(({ name, busy, delayTypicalMs, delayMaxMs, gc }) =>
      [name, percent(busy), ms(delayTypicalMs), ms(delayMaxMs), percent(gc)]),
    most: mostThreads,
    notes: isMany ? [`${threads.length} threads, the busiest first; a terminal shows ${mostThreads} of them.`] : []
  }
}

/** @param {Summary} summary @returns {Section} */
function workSection ({ cores, answers, perSecond, requestMs, loadMs }) {
  return {
    title: 'Work',
    columns: ['', '#'],
    rows: [
      ['answers', String(answers)],
      ['answers a second', perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond))],
      ...requestMs === null ? [] : [['a request takes about', ms(requestMs)]],
      ['processor cores busy', cores.toFixed(2)],
      ...answers === 0 ? [] : [['processor time of an answer', ms(cores * loadMs / answers)]]
    ]
  }
}

/** @param {Summary} summary @returns {Section} */
function memorySection ({ memory: { rss, heap, external }, kept }) {
  const row = (/** @type {string} */ name, /** @type {Change} */ { before, end, after, trend }) =>
    [name, megabytes(before), megabytes(end), megabytes(after), trendText(trend)]
  return {
    title: 'Memory',
    columns: ['', '#before', '#end of load', '#after', 'under load'],
    rows: [
      row('all (RSS)', rss),
      row('V8’s heap', heap),
      row('buffers', external),
      ['kept', megabytes(kept.before), '', megabytes(kept.after), '']
    ],
    notes: [
      'Kept: heap and buffers after a full collection. What only grows under load may be garbage, or room that V8 made.'
    ]
  }
}

/** @param {Trend | null} trend of the lowest points */
function trendText (trend) {
  if (trend === null) return ''
  return trend.direction === 'neither' || Math.abs(trend.perSecond) < 0.05e6
    ? 'no trend'
    : `${trend.direction} ${megabytes(Math.abs(trend.perSecond))}/s`
}

/** @param {Summary} summary @returns {Section} */
function collectionsSection ({ lead: { gcs } }) {
  return {
    title: 'GC',
    columns: ['main thread', '#times', '#together', '#longest'],
    rows: gcs.map(({ kind, count, ms: together, longestMs }) => [kind, String(count), ms(together), ms(longestMs)])
  }
}

/** @param {Summary} summary @returns {Section} */
function handlesSection ({ handles: { before, most, after } }) {
  return {
    title: 'Active resources',
    columns: ['', '#before', '#most under load', '#after'],
    rows: [['sockets, timers, files', String(before), String(most), String(after)]]
  }
}
