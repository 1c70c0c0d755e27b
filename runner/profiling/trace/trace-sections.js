import { percent } from '../../shared/format.js'
import { sparkline } from '../../report/index.js'
import { megabytes, ms } from './diagnose.js'
import { inParts, onePerProcess, sumOverTime } from './over-time.js'

/**
 * A recording in sections, for the terminal and for the page. Pure.
 *
 * @import { Section } from '../../report/index.js'
 * @import { Finding } from './diagnose.js'
 * @import { Recording, Trend } from './over-time.js'
 * @import { Change, Summary } from './summarise.js'
 */

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
  return [eventLoop(summary), processor(summary), memory(summary), collections(summary), handles(summary)]
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
function eventLoop ({ threads }) {
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
function processor ({ cores, answers, perSecond, requestMs, loadMs }) {
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
function memory ({ memory: { rss, heap, external }, kept }) {
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
function collections ({ lead: { gcs } }) {
  return {
    title: 'GC',
    columns: ['main thread', '#times', '#together', '#longest'],
    rows: gcs.map(({ kind, count, ms: together, longestMs }) => [kind, String(count), ms(together), ms(longestMs)])
  }
}

/** @param {Summary} summary @returns {Section} */
function handles ({ handles: { before, most, after } }) {
  return {
    title: 'Handles',
    columns: ['', '#before', '#most under load', '#after'],
    rows: [['sockets, timers, requests', String(before), String(most), String(after)]]
  }
}
