import { noProgress } from './check-progress.js'
import { createLiveRegion } from './live-region.js'
import {
  errorOf, formatNumber, formatRatio, formatTarget, sayAbout, sayUnchanged, sayWhen, whyRough
} from './numbers.js'
import { apart, section, sparkline, titleOf } from './section.js'
import {
  capabilitiesOf, endOf, hanging, regionTheme, styleOf, textWidth, truncateText, wrapParts, wrapText
} from './theme.js'

/**
 * @import { GateResult, ResultRecord, Verdict } from '../judge/index.js'
 * @import { Progress } from './check-progress.js'
 * @import { Output, Theme } from './theme.js'
 */

/** @typedef {ReturnType<typeof createWatchScreen>} WatchScreen */

/**
 * The screen of `npm run watch`: the fixed part is at the end, requested output above it.
 *
 * @param {object} given
 * @param {Output} given.stream
 * @param {boolean} given.keys can they be pressed?
 */
export function createWatchScreen ({ stream, keys }) {
  const { live } = capabilitiesOf(stream)
  const lay = (/** @type {WatchState} */ state) =>
    layoutWatch(state, regionTheme(stream), { height: live ? (stream.rows ?? Infinity) - 1 : Infinity, keys })
  let shown = emptyWatch
  /** @type {ReturnType<typeof createLiveRegion> | null} */
  let region = null

  const show = (/** @type {WatchState} */ state) => {
    shown = state
    if (!live) return
    region ??= createLiveRegion({ stream, lay: () => lay(shown) })
    region.changed()
  }
  /** Clears the region, so that something else can be written there. */
  const leave = () => {
    region?.clear()
    region = null
  }
  return {
    /** False: nothing is redrawn, and `settled` appends lines. */
    isLive: live,
    show,
    /** Shows a state that stays for a while. @param {WatchState} state */
    settled: (state) => {
      show(state)
      if (!live) stream.write(`${lay(state).join('\n')}\n\n`)
    },
    leave,
    wipe: () => {
      if (!live) return
      leave()
      // Only the window: the scrollback stays readable.
      stream.write('\u001b[2J\u001b[H')
    }
  }
}

/**
 * @typedef {object} Preview
 * @property {number} number from 1
 * @property {string} at ISO 8601
 * @property {number} durationMs
 * @property {ResultRecord} record
 * @property {boolean} isUnchanged of the slow server itself
 */

const shownRatios = 5
const longestMessage = 3
const longestHistory = 30
/** With this many rows, most of the output above is still visible. */
const tallWindow = 30

export const emptyWatch = {
  lesson: { number: 0, title: '' },
  /** The file that the learner changes, as they would type it, and the same as a URL. */
  file: '',
  link: '',
  targets: /** @type {readonly GateResult[]} the lesson's gates, not measured */ ([]),
  activity: /** @type {'idle' | 'waiting' | 'busy'} */ ('idle'),
  /** What waits for the machine, for what, and since when (ms). */
  waiting: /** @type {{ what: string, sentence: string, since: number } | null} */ (null),
  progress: noProgress,
  /** How many have started. */
  previews: 0,
  preview: /** @type {Preview | null} the last one */ (null),
  roughness: /** @type {number | null} how far off the last preview of the unchanged server was */ (null),
  last: /** @type {{ at: string, verdict: Verdict, ratio: number | null } | null} the last full check */ (null),
  /** The last check was inconclusive, and the code hasn't changed. */
  canGoOn: false,
  history: /** @type {{ ratio: number, isPreview: boolean, isRough?: boolean }[]} oldest first */ ([]),
  hints: { shown: 0, total: 0 },
  isPassed: false,
  notes: /** @type {string[]} sentences */ ([]),
  room: /** @type {string[]} sentences of the instructor's room */ ([]),
  gist: /** @type {string[]} of the output above, for a window in which it has scrolled away */ ([])
}

/**
 * @typedef {typeof emptyWatch} WatchState
 * @typedef {(state: WatchState, theme: Theme) => string[]} Part
 */

/**
 * @param {WatchState} state
 * @param {Theme} theme
 * @param {{ height?: number, keys?: boolean }} [options] height: lines that fit the window; keys: they can be pressed
 * @returns {string[]} no line is longer than the theme's columns
 */
export function layoutWatch (state, theme, { height = Infinity, keys = true } = {}) {
  const head = headLines(state, theme)
  const figures = [
    ...section('Target', (inner) => targetLines(state, inner), theme),
    ...section('Verdict', (inner) => lastLines(state, inner), theme),
    ...section('History', (inner) => historyLines(state, inner), theme)
  ]
  const number = state.activity === 'idle' ? state.preview?.number : state.previews
  const now = state.waiting === null
    ? section(number === undefined ? 'Look' : `Look ${number}`, (inner) => nowLines(state, inner), theme)
    : section(state.waiting.what, (inner) => waitingLines(state, inner), theme)
  const notes = [...state.room, ...state.notes].flatMap((note) => wrapText(theme.line(note), theme.columns))
  const gist = height >= tallWindow
    ? []
    : state.gist.flatMap((sentence) => beginning(wrapText(theme.line(sentence), theme.columns), theme))
  const end = keys ? keyLines(state, theme) : []
  return apart([head, figures, now, notes, gist, end], height)
}

/** @type {Part} */
const headLines = ({ lesson, file, link }, theme) => {
  const { marks, paint, columns } = theme
  const title = theme.line(titleOf(lesson, marks.dot))
  const path = theme.line(file)
  // The end of a path says more than its beginning.
  const shown = textWidth(path) <= columns
    ? path
    : marks.ellipsis + endOf(path, columns - textWidth(marks.ellipsis))
  return [
    paint('strong', truncateText(title, columns, marks.ellipsis)),
    paint('secondary', theme.link(link, shown))
  ]
}

/** @type {Part} */
const targetLines = ({ targets }, theme) => {
  const asked = targets.filter(({ target }) => target !== null)
    .map((gate) => `${theme.line(gate.name)} ${formatTarget(gate, theme.marks)}`)
  return wrapParts(asked, ', ', theme.columns).flatMap((line) => wrapText(line, theme.columns))
}

/** @type {Part} */
const lastLines = ({ last }, theme) => {
  const { marks, paint } = theme
  if (last === null) return [paint('secondary', 'none yet: press b for the full check')]
  const word = `${marks[last.verdict]} ${last.verdict}`
  const [ratio, when] = [ratioText(last.ratio, theme), sayWhen(last.at)]
  const painted = `${paint(styleOf(last.verdict), word)}  ${paint('strong', ratio)}`
  return textWidth(`${word}  ${ratio}  ${when}`) <= theme.columns
    ? [`${painted}  ${paint('secondary', when)}`]
    : [painted, paint('secondary', when)]
}

/** @type {Part} */
const historyLines = ({ history }, theme) => {
  if (history.length < 2) return []
  const shown = history.slice(-Math.min(longestHistory, Math.floor(theme.columns / 3)))
  const ratios = shown.map(({ ratio }) => ratio)
  const line = sparkline(ratios, Math.max(...ratios), theme.marks.spark)
  const figures = history.slice(-shownRatios)
    .map(({ ratio, isPreview: isLook, isRough = false }) => isLook
      ? `${theme.marks.about}${formatNumber(ratio, theme.marks.none, isRough ? 1 : 2)}${theme.marks.times}${
        isRough ? ' (rough)' : ''}`
      : ratioText(ratio, theme))
  return wrapParts([line, ...figures], '  ', theme.columns)
}

/** @type {Part} */
const waitingLines = ({ waiting }, { columns, paint, line }) => {
  if (waiting === null) return []
  const seconds = Math.round((Date.now() - waiting.since) / 1000)
  const waited = seconds < 1 ? [] : [paint('secondary', `waited ${seconds} s so far`)]
  return [...wrapText(line(waiting.sentence), columns), ...waited]
}

/** @type {Part} */
const nowLines = (state, theme) => {
  const { activity, progress, preview, last, roughness } = state
  const { paint, marks } = theme
  const isBusy = activity !== 'idle'
  // After a check, its verdict is shown above.
  if (!isBusy && preview === null) return last === null ? [paint('secondary', 'save the file, or press r')] : []
  const { checks, failed, gates, rounds, text, rules } = isBusy || preview === null
    ? { ...progress, rules: undefined }
    : {
        rounds: preview.record.rounds,
        checks: { done: preview.record.contract.length, total: preview.record.contract.length },
        failed: preview.record.contract.filter(({ status }) => status === 'fail'),
        gates: preview.record.gates,
        text: '',
        rules: preview.record.rules
      }
  const isWrong = failed.length > 0 || (!isBusy && preview?.record.verdict === 'fail')
  const [gate] = gates
  const when = isBusy || preview === null
    ? `${marks.current} ${theme.line(text)}`
    : `${sayWhen(preview.at)}, after ${(preview.durationMs / 1000).toFixed(1)} s`
  const unchanged = !isBusy && !isWrong && preview?.isUnchanged ? sayUnchanged(gate, marks) : ''
  return [
    ...unchanged === ''
      ? speedLines(gate, { isWrong, rough: whyRough({ rounds, roughness }, marks) }, theme)
      : wrapText(unchanged, theme.columns),
    ...answerLines({ checks, failed, isBusy, rules }, theme),
    ...!isBusy && preview !== null && failed.length === 0 && preview.record.verdict !== 'inconclusive'
      ? wrapText(theme.line(preview.record.reason), theme.columns)
      : [],
    ...!isBusy && preview !== null ? errorLines(preview.record, theme) : [],
    ...wrapText(when, theme.columns).map((line) => paint('secondary', line))
  ]
}

/** A server's error says more than requests without a response. @param {ResultRecord} record @param {Theme} theme */
function errorLines (record, theme) {
  const found = record.verdict === 'fail' ? errorOf(record) : null
  if (found === null) return []
  const { columns, marks, paint } = theme
  const error = theme.line(found.error)
  return [
    // A syntax error or a failed start has already been reported.
    ...record.reason.includes(found.error.replace(/^SyntaxError: | \([^()]*\)$/g, ''))
      ? []
      : wrapText(error, columns).map((line) => paint('fail', line)),
    ...found.code.flatMap(theme.lines).map((line) => truncateText(`  ${line}`, columns, marks.ellipsis))
  ]
}

/**
 * @param {GateResult | undefined} gate
 * @param {{ isWrong: boolean, rough: string }} given rough: why it is, or empty
 * @param {Theme} theme
 */
function speedLines (gate, { isWrong, rough }, theme) {
  if (gate === undefined || gate.ratio === null) return []
  const { marks, paint } = theme
  const ratio = sayAbout(gate.ratio, rough !== '', marks)
  const [first, ...rest] = wrapText(
    isWrong
      ? `${ratio}, which doesn’t count while an answer is wrong`
      : `${ratio} in ${theme.line(gate.name)}: one round, no verdict${
        rough === '' ? '' : `, and a rough one (${theme.line(rough)})`}`,
    theme.columns
  )
  return [paint(isWrong ? 'secondary' : 'strong', ratio) + first.slice(ratio.length), ...rest]
}

/**
 * @param {Pick<Progress, 'checks' | 'failed'> & { isBusy: boolean, rules?: ResultRecord['rules'] }} given
 * @param {Theme} theme
 */
function answerLines ({ checks, failed, isBusy, rules }, theme) {
  if (checks === null || checks.total === 0) return []
  const { marks, paint } = theme
  const mark = failed.length > 0 ? 'fail' : isBusy ? 'current' : 'pass'
  const summary = failed.length > 0 && rules !== undefined
    ? `${rules.hold} of ${rules.of} rules are known to hold. The first that doesn’t:`
    : `${checks.done - failed.length} of ${checks.total} checks of the answers passed`
  const below = (/** @type {string} */ text) => hanging('  ', theme.line(text), theme)
  return [
    ...hanging(`${paint(mark === 'current' ? 'secondary' : mark, marks[mark])} `, summary, theme, 2),
    ...failed.slice(0, 1).flatMap(({ name, message, promised = '' }) => [
      ...below(name).map((line) => paint('fail', line)),
      ...beginning(below(message), theme),
      ...promised === '' ? [] : below(`The lesson says: “${promised}”`).map((line) => paint('secondary', line))
    ]),
    ...failed.length > 1 ? below(`and ${failed.length - 1} more: b shows them all`) : []
  ]
}

/** @param {string[]} lines @param {Theme} theme */
function beginning (lines, { marks, columns }) {
  if (lines.length <= longestMessage) return lines
  const last = `${lines[longestMessage - 1]} ${marks.ellipsis}`
  return [...lines.slice(0, longestMessage - 1), truncateText(last, columns, marks.ellipsis)]
}

/** @type {Part} */
const keyLines = ({ hints, isPassed, activity, canGoOn }, theme) => {
  const hint = hints.shown < hints.total ? `hint ${hints.shown + 1} of ${hints.total}` : 'hints again'
  /** @type {[string, string][]} */
  const keys = [
    ['b', 'full check'], ['m', canGoOn ? 'go on with it' : ''], ['p', 'profile'], ['h', hint], ['d', 'diff'],
    ['s', 'solution'], ['e', 'edit'], ['l', 'list'], ['n', isPassed ? 'next lesson' : 'next'],
    ['r', 'run again'], ['q', 'quit']
  ]
  const plain = keys.flatMap(([key, what]) => what === '' ? [] : [`${key} ${what}`])
  const gap = theme.columns < 60 ? '  ' : '   '
  const lines = wrapParts(plain, gap, theme.columns).map((line) => {
    return line.split(gap)
      .map((part) => theme.paint('strong', part[0]) + theme.paint('secondary', part.slice(1)))
      .join(gap)
  })
  const ask = activity === 'idle' ? 'Saved, but nothing happened? Press r.' : 'c or a save stops this run.'
  return [...lines, theme.paint('secondary', truncateText(ask, theme.columns, theme.marks.ellipsis))]
}

/** @param {number | null} ratio @param {Theme} theme */
function ratioText (ratio, { marks }) {
  return ratio === null ? '' : formatRatio({ ratio, ratioUnit: '×', target: null }, marks)
}
