import { clockTime, timeLeft } from '../../format.js'
import { frame } from '../../http/index.js'
import { marks } from '../../report/browser.js'
import { html, withCode } from '../../report/index.js'

/**
 * What the instructor's room says, above the text of every page. Pure.
 *
 * @import { Token } from '../../http/index.js'
 * @import { Html } from '../../report/index.js'
 * @import { SubmittedFile } from '../../seat-and-room.js'
 * @import { LessonPage } from '../page-data.js'
 * @import { ClassState } from '../seat-state.js'
 * @import { Fitness } from '../serving.js'
 *
 * @typedef {Pick<ClassState, 'seat' | 'room' | 'isGone'>} Heard
 * @typedef {Token & { classroom: Heard, fitness?: Fitness }} Around what every page is shown with
 * @typedef {{ href: string, text: string }} Crumb a page above this one
 */

/**
 * @typedef {object} Place where a page is
 * @property {string} [lesson] slug
 * @property {Crumb[]} [crumbs] the pages above it, but for the first page
 * @property {string} [here] its own name, after them
 *
 * @param {Omit<Parameters<typeof frame>[0], 'above'> & Omit<Around, 'token'> & Place} page
 * @returns {string} HTML
 */
export function workshopFrame ({
  classroom, fitness, lesson = '', crumbs = [], here = '', nav = html``, styles = [], scripts = [], ...page
}) {
  const parts = roomParts(classroom, lesson)
  return frame({
    ...page,
    nav: html`${here === '' ? '' : crumbsHtml(crumbs, here)}${nav}${
      fitness === undefined ? '' : html`<span class="fitness" data-part="chip">${chipHtml(fitness)}</span>`}`,
    styles: ['/static/web/browser/room.css', ...styles],
    scripts: ['/static/web/browser/room.js', ...scripts],
    above: html`<aside class="room-bar" aria-label="Your class" data-lesson="${lesson}">
<div data-part="messages" aria-live="polite">${parts.messages}</div>
<div data-part="room">${parts.room}</div>
<div data-part="factor">${parts.factor}</div></aside>`
  })
}

/** @param {Crumb[]} crumbs @param {string} here */
function crumbsHtml (crumbs, here) {
  return html`<nav aria-label="Breadcrumb"><ol class="crumbs">${crumbs.map(({ href, text }) =>
    html`<li><a href="${href}">${text}</a></li>`)}<li aria-current="page">${here}</li></ol></nav>`
}

/**
 * @param {Heard} classroom
 * @param {string} lesson slug of the page's lesson, or empty
 * @returns {{ messages: Html, room: Html, factor: Html }} by the name of the part; empty in no room
 */
export function roomParts ({ seat, room, isGone }, lesson) {
  if (seat === null || isGone) return { messages: html``, room: html``, factor: html`` }
  if (room === null) return { messages: html``, room: html`<span data-in-room></span>`, factor: html`` }
  const { current, timer, lessons, isHandUp, prediction } = room
  const now = lessons.find(({ id }) => id === current?.lesson)
  const word = lessons.find(({ id }) => id === lesson)
  const facts = [
    ...timer === null ? [] : [html`<strong>${timer.text} until ${clockTime(timer.until)}</strong>`],
    ...now && current
      ? [html`Now in class: <a href="/lessons/${encodeURIComponent(now.id)}">lesson ${now.number}</a> ${marks.dot} ${
        timeLeft(current)}`]
      : [],
    ...word?.isLocked ? ['The instructor hasn’t opened this lesson yet.'] : [],
    ...word?.isRevealed
      ? [html`<a href="/lessons/${encodeURIComponent(lesson)}/compare?with=solution">Now for all: the solution</a>`]
      : []
  ]
  return {
    messages: html`${room.messages.map(({ text, sentAt }) => html`<p class="note">
<strong>The instructor says</strong> (${clockTime(sentAt)}): ${withCode(text)}</p>`)}`,
    room: html`<p class="in-room" data-in-room>${facts.map((fact) => html`<span>${fact}</span> `)}${
      handHtml(isHandUp)}</p>`,
    factor: prediction?.lesson === lesson ? predictHtml(prediction) : html``
  }
}

/** @param {NonNullable<NonNullable<Heard['room']>['prediction']>} prediction */
function predictHtml ({ gate, ratio, isOpen }) {
  if (!isOpen) return ratio === null ? html`` : html`<p>You predicted ${ratio}×.</p>`
  return html`<form class="in-room">
<label for="ratio">By what factor will yours beat the slow server in “${gate}”?</label>
<span><input type="number" id="ratio" min="0.1" max="1000" step="any" required value="${ratio ?? ''}">×
<button class="small">${ratio === null ? 'Send to the room' : 'Change it'}</button></span>
<span class="soft">${ratio === null ? 'It becomes' : 'It’s'} a dot on the wall, without your name.</span>
<span role="alert" id="predict-said"></span></form>`
}

/** @param {boolean} isUp */
function handHtml (isUp) {
  return html`<span>${isUp ? html`<strong>Your hand is up.</strong> ` : ''}<button type="button" class="small" id="hand"
data-hand="${isUp ? 'down' : 'up'}">${isUp ? 'Lower it' : 'Raise my hand'}</button></span>
<span role="alert" id="hand-said"></span>`
}

/** Slower than this, and checks take noticeably longer. */
const slowPace = 1.5

/** Is this machine fit to measure, in few words? It leads to what else is known of it. @param {Fitness} fitness */
export function chipHtml (fitness) {
  const [tone, words] = sayFitness(fitness)
  return html`<a class="machine ${tone}" href="/#machine"><span class="hidden">This machine: </span>${
    tone === '' ? '' : html`<span aria-hidden="true">${marks[tone]}</span> `}${words}</a>`
}

/** @param {Fitness} fitness @returns {['' | 'pass' | 'fail' | 'inconclusive', string]} */
function sayFitness ({ isBusy, findings, message, cores, pace }) {
  const has = (/** @type {string} */ state) => findings.some((finding) => finding.state === state)
  if (message !== '' && !isBusy && findings.length > 0) {
    if (has('bad')) return ['fail', 'can’t measure']
    return has('doubt') ? ['inconclusive', 'fit to measure, with doubts'] : ['pass', 'fit to measure']
  }
  const count = `${cores} ${cores === 1 ? 'core' : 'cores'}`
  if (pace < slowPace) return [cores === 1 ? 'inconclusive' : '', count]
  return ['inconclusive', `${count}, slow: checks take longer`]
}

/**
 * Handing in to the class: first the list of files, then the button that sends them. Pure.
 */

/** @param {LessonPage & Around} lesson empty in no room */
export function submitHtml ({ classroom: { seat, isGone } }) {
  if (seat === null || isGone) return ''
  return html`<p>The class measures your server again on its own machine. The room keeps what you submit until you leave
or the instructor removes your seat.</p>
<div id="to-submit"><p class="buttons"><button type="button" data-list>Show my files</button></p></div>
<p id="submit-said" role="status"></p>`
}

/**
 * @param {readonly SubmittedFile[]} files
 * @param {string} hash of them: these and no others are sent
 */
export function filesHtml (files, hash) {
  const sizes = files.map(({ path, text }) => html`<li><code>${path}</code>, ${
    Math.ceil(Buffer.byteLength(text) / 1024)} kB</li>`)
  return html`<p>These files go to the room:</p><ul>${sizes}</ul>
<p class="buttons"><button type="button" class="main" data-submit="${hash}">Submit them</button></p>`
}
