import { percent } from '../../format.js'
import { html, marks } from '../../report/browser.js'
import { countText, messageHtml, nowHtml, reasonsHtml, targetText } from './words.js'

/**
 * @import { Ranked } from '../board.js'
 * @import { ProjectorView, PublicView } from '../snapshot.js'
 */

/** The most that fit on a wall. */
const mostReasons = 4

/**
 * The parts of the public pages that follow the room, by name: drawn by the server first, then by the
 * page.
 */
export const parts = {
  message: messageHtml,
  now: nowHtml,
  board: boardHtml,
  count: countHtml,
  progress: progressHtml,
  predictions: predictionsHtml,
  reasons: (/** @type {Pick<ProjectorView, 'reasons' | 'lessons'>} */ room) => reasonsHtml(room, mostReasons),
  door: (/** @type {PublicView} */ { isLobbyLocked }) => isLobbyLocked
    ? html`<p class="note">The instructor has closed the lobby: ask them to let you in.</p>`
    : html``
}

/**
 * The board of learners who chose to be on it. Words and positions tell them apart; colours only help. Pure.
 *
 * @param {Pick<PublicView, 'board' | 'lessons'>} room
 */
export function boardHtml ({ board: { lesson, reported, verified, total }, lessons }) {
  const found = lessons.find(({ id }) => id === lesson)
  if (found === undefined) return html`<p>This room has no lesson with tiers, and so no board.</p>`
  const cut = total > reported.length ? ` The first ${reported.length} of ${total}.` : ''
  return html`<p>Lesson ${found.number}, ${found.title}.</p>
<section aria-labelledby="reported"><h2 id="reported">Reported</h2>
<p class="soft">What the learners’ own machines say.${cut}</p>
${listHtml(reported, 'No one is on it yet.')}</section>
${verified.length === 0
    ? ''
    : html`<section aria-labelledby="verified"><h2 id="verified">Verified</h2>
<p class="soft">What was measured again on the class’s own machine.</p>
${listHtml(verified, '')}</section>`}`
}

/** @param {readonly Ranked[]} entries @param {string} none */
function listHtml (entries, none) {
  if (entries.length === 0) return html`<p>${none}</p>`
  // Wide intervals are cut off: one would leave no room for the others.
  const scale = Math.min(2, Math.max(1, ...entries.map(({ interval: [, high] }) => high)))
  return html`<ol class="board">${entries.map((entry) => entryHtml(entry, {
    scale, isShared: entries.some((other) => other !== entry && other.rank === entry.rank)
  }))}</ol>`
}

/** @param {Ranked} entry @param {{ scale: number, isShared: boolean }} given */
function entryHtml ({ rank, nickname, tier, share, interval: [low, high] }, { scale, isShared }) {
  const x = (/** @type {number} */ value) => (100 * value / scale).toFixed(2)
  const width = (100 * Math.max(0, high - low) / scale).toFixed(2)
  const shared = html`<span aria-hidden="true"> =</span><span class="hidden">, shared</span>`
  return html`<li><span class="rank">${rank}${isShared ? shared : ''}</span>
<span class="who">${nickname}</span> <span class="tier">${tier}</span>
<span class="share">${percent(share)} <span class="soft">(${percent(low)} to ${percent(high)})</span></span>
<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${[0, 1 / 2, 1].map((at) =>
  html`<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="0" y2="10"/>`)}
<rect x="${x(low)}" width="${width}" y="3" height="4"/>
<line class="at" x1="${x(share)}" x2="${x(share)}" y1="1" y2="9"/></svg></li>`
}

/**
 * The room in figures, for all to see: no names. Pure.
 */

/** @param {ProjectorView} room */
function countHtml ({ seats, isLobbyLocked }) {
  return html`${countText(seats, 'learner')}${isLobbyLocked ? '. The lobby is closed.' : ''}`
}

/** @param {ProjectorView} room */
function progressHtml ({ lessons, seats, current }) {
  const shown = current === null ? lessons : lessons.filter(({ id }) => id === current.lesson)
  return html`<ol class="bars">${shown.map(({ number, title, passed, verified, trying, isLocked }) => html`<li${
    isLocked ? html` class="locked"` : ''}><span class="title">${number} ${marks.dot} ${title}</span>
<span class="figures">${isLocked && passed + trying + verified === 0
    ? 'not open yet'
    : [
        verified === 0 ? `${passed} passed` : `${passed} passed (verified: ${verified})`, `${trying} not yet`,
        ...current === null ? [] : [`${seats - passed - trying} not begun`]
      ].join(', ')}</span>
<svg viewBox="0 0 ${Math.max(1, seats)} 1" preserveAspectRatio="none" aria-hidden="true">
<rect class="passed" width="${passed}" height="1"/>
<rect class="trying" x="${passed}" width="${trying}" y=".25" height=".5"/></svg></li>`)}</ol>`
}

/**
 * What the class predicts, as dots on a logarithmic scale, and what it has measured. Pure.
 */

const [width, highest] = [400, 120]
const margin = 16
const dot = 9.6

/** @param {Pick<ProjectorView, 'predicted'>} room */
function predictionsHtml ({ predicted }) {
  if (predicted === null) return html``
  const { ratios, measured } = predicted
  const middle = ratios[Math.floor((ratios.length - 1) / 2)]
  return html`<h2>What we predicted</h2>${dotsSvg(ratios, measured?.ratio ?? null)}
<p>${ratios.length} predictions from ${targetText(ratios[0])} to ${targetText(ratios[ratios.length - 1])}, the middle
one ${targetText(middle)}.${measured === null
    ? ''
    : html`
<strong>Measured: ${targetText(measured.ratio)}</strong>, the median of ${measured.of} who have passed.`}</p>`
}

/** @param {readonly number[]} ratios from the smallest @param {number | null} measured */
function dotsSvg (ratios, measured) {
  const { ticks, at } = scaleOf(measured === null ? ratios : [...ratios, measured])
  const { dots, height } = placeDots(ratios.map(at))
  const mark = measured === null ? '' : at(measured).toFixed(2)
  return html`<svg class="dots" viewBox="0 0 ${width} ${(height + 24).toFixed(1)}" aria-hidden="true">
${ticks.map((tick) => html`<line x1="${at(tick).toFixed(2)}" x2="${at(tick).toFixed(2)}" y1="0" y2="${
  height.toFixed(1)}"/><text x="${at(tick).toFixed(2)}" y="${(height + 18).toFixed(1)}">${tick}×</text>`)}
${mark === '' ? '' : html`<line class="measured" x1="${mark}" x2="${mark}" y1="0" y2="${height.toFixed(1)}"/>`}
${dots.map(({ x, y }) => html`<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="4.4"/>`)}</svg>`
}

/** Round numbers around all values, and the position of each value. @param {readonly number[]} values above 0 */
function scaleOf (values) {
  const round = Array.from({ length: 24 }, (_, at) => Number(`${[1, 2, 5][at % 3]}e${Math.floor(at / 3) - 2}`))
  const low = round.findLast((tick) => tick <= Math.min(...values)) ?? round[0]
  const high = round.find((tick) => tick > low && tick >= Math.max(...values)) ?? round[round.length - 1]
  const at = (/** @type {number} */ value) =>
    margin + (width - 2 * margin) * Math.log(value / low) / Math.log(high / low)
  return { ticks: round.filter((tick) => tick >= low && tick <= high), at }
}

/** Dots that would overlap are stacked. @param {readonly number[]} places @returns dots from the bottom */
function placeDots (places) {
  const columns = places.map((x) => Math.round((x - margin) / dot))
  const ranks = columns.map((column, at) => at - columns.indexOf(column))
  const most = Math.max(...ranks) + 1
  const step = Math.min(dot, highest / most)
  const height = Math.max(32, most * step + 4)
  const dots = columns.map((column, at) => ({ x: margin + column * dot, y: height - (ranks[at] + 0.5) * step }))
  return { dots, height }
}
