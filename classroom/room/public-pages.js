import MarkdownIt from 'markdown-it'
import { percent, plural } from '../../runner/shared/format.js'
import { frame } from '../../runner/http/index.js'
import { html, marks, trusted } from '../../runner/report/index.js'
import { messageHtml, nowHtml, reasonsHtml, targetText } from './words.js'

/**
 * The pages for all to see, and their parts, which follow the room. Pure.
 *
 * @import { Html } from '../../runner/report/index.js'
 * @import { Ranked } from './board.js'
 * @import { ProjectorView, PublicView } from './room-views.js'
 *
 * @typedef {Record<string, string>} Parts HTML by the name of the part
 */

/** The most that fit on a wall. */
const mostReasons = 4

/** @param {PublicView} room */
export function publicParts (room) {
  return {
    message: messageHtml(room),
    now: nowHtml(room),
    board: boardHtml(room),
    lobby: room.isLobbyLocked
      ? html`<p class="note">The instructor has closed the lobby: ask them to let you in.</p>`
      : html``
  }
}

/** @param {ProjectorView} room */
export function projectorParts (room) {
  return {
    message: messageHtml(room),
    now: nowHtml(room),
    count: html`${plural(room.seats, 'learner')}${room.isLobbyLocked ? '. The lobby is closed.' : ''}`,
    progress: progressHtml(room),
    predictions: predictionsHtml(room),
    reasons: reasonsHtml(room, mostReasons)
  }
}

/**
 * The page at the room's address, to which its QR code leads, too.
 *
 * @param {{ address: string, code: string, parts: Parts, sent: string }} given address: with the code; sent: Markdown
 */
export function joinPage ({ address, code, parts, sent }) {
  const command = `npm run join ${address} -- --name "Ada"`
  return roomFrame({
    title: 'Join the room',
    name: 'join-page',
    home: `/${code}`,
    parts: `/api/rooms/${code}/events`,
    main: html`<h1>Join the room</h1>
${partHtml('message', parts, html` aria-live="polite"`)}
${partHtml('now', parts)}
${partHtml('lobby', parts)}
<p>You need the workshop on your own machine. In its folder, type this, with your own name:</p>
<pre id="command">${command}</pre>
<p class="buttons"><button type="button" data-copy="${command}">Copy</button></p>
<p role="status" data-said></p>
<p>Prefer the browser? In <code>npm start</code>, open “Class” and enter this address:
<code>${address}</code></p>
<p>You see what’s sent, and confirm it, before anything is. Then carry on as before: each check is reported by
itself.</p>
<section aria-labelledby="sent"><h2 id="sent">What is sent</h2>
${trusted(new MarkdownIt().render(sent))}</section>
<section aria-labelledby="to-board"><h2 id="to-board">The board</h2>
<p>The last lesson has <a href="/${code}/board">a board</a> for those who want to be on it. You’re only on it if you
say so: with <code>--board</code>, and <code>--nickname</code> if you like, or by a tick in the browser.</p></section>`
  })
}

/** @param {{ code: string, parts: Parts }} given */
export function boardPage ({ code, parts }) {
  return roomFrame({
    title: 'The board',
    name: 'board-page',
    home: `/${code}`,
    parts: `/api/rooms/${code}/events`,
    main: html`<h1>The board</h1>
${partHtml('message', parts, html` aria-live="polite"`)}
${partHtml('board', parts)}
<section aria-labelledby="how"><h2 id="how">How to read it</h2>
<p>Machines differ, so requests a second say little. What counts is the tier, and within it the share of what a bare
server answers on that same machine: 100 % is all that it can do.</p>
<p>A bar is the interval in which the share lies (95 %), the stroke in it the best guess; the thin lines are 0, 50 and
100 %. Within a tier, bars that overlap the leader’s share a rank: there’s no telling which is faster.</p>
<p>Only people who opted in are listed, by a nickname if they gave one. You want to be on it?
<code>npm run join -- --board --nickname NAME</code>, or “Class” in the browser.</p></section>`
  })
}

/**
 * For the wall: no names.
 *
 * @param {{ address: string, code: string, picture: string, parts: Parts }} given address: with the code; picture: the
 *   address of the QR code
 */
export function projectorPage ({ address, code, picture, parts }) {
  return roomFrame({
    title: 'The room',
    name: 'projector-page',
    home: `/${code}`,
    parts: `/api/rooms/${code}/projector/events`,
    main: html`<h1 class="hidden">The room</h1>
${partHtml('message', parts, html` class="wide" aria-live="polite"`)}
${partHtml('now', parts, html` class="wide" aria-live="polite"`)}
<section class="way-in" aria-labelledby="join"><h2 id="join">Join</h2>
<img src="${picture}" alt="QR code of the address" width="330" height="330">
<p class="address">${address.replace(/^https?:\/\//, '').replace(/\/[^/]*$/, '/')}<strong>${
      code}</strong></p>
${partHtml('count', parts)}</section>
<section class="where" aria-labelledby="where"><h2 id="where">Where we are</h2>
${partHtml('progress', parts)}
${partHtml('predictions', parts)}</section>
<section class="why" aria-labelledby="why"><h2 id="why">What stops us</h2>
${partHtml('reasons', parts)}</section>`
  })
}

/** @param {Pick<Parameters<typeof frame>[0], 'title' | 'name' | 'main' | 'home' | 'parts'>} page */
function roomFrame ({ title, ...page }) {
  return frame({
    ...page,
    title: `${title} · Make It Fast`,
    styles: ['/static/classroom/room/browser/public.css'],
    scripts: ['/static/classroom/room/browser/follow-room.js']
  })
}

/** @param {string} name @param {Parts} parts @param {Html} [attributes] of its element */
function partHtml (name, parts, attributes = html``) {
  return html`<div data-part="${name}"${attributes}>${trusted(parts[name])}</div>`
}

/**
 * The board of learners who chose to be on it. Words and positions tell them apart; colours only help.
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

/** Predictions are dots on a logarithmic scale. */
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

/**
 * The key to all questions, for the instructor's page.
 *
 * @param {readonly { number: number, answers: string }[]} key answers: Markdown
 * @param {readonly { number: number, title: string }[]} lessons
 */
export function answersHtml (key, lessons) {
  const md = new MarkdownIt()
  // They lead to files, which a room doesn't serve.
  for (const rule of ['link_open', 'link_close']) md.renderer.rules[rule] = () => ''
  const titles = new Map(lessons.map(({ number, title }) => [number, title]))
  return html`${key.map(({ number, answers }) => html`<details>
<summary>${number} ${titles.get(number) ?? ''}</summary>${trusted(md.render(answers))}</details>`)}`
}
