import { percent } from '../../../format.js'
import { html } from '../../../report/browser.js'

/**
 * The board of learners who chose to be on it. Words and positions tell them apart; colours only help. Pure.
 *
 * @import { PublicView } from '../../snapshot.js'
 * @import { Ranked } from '../../derive/board.js'
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
