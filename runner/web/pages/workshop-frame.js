import { clockTime, plural, timeLeft } from '../../shared/format.js'
import { frame } from '../../http/index.js'
import { formatWhen, html, marks, withCode } from '../../report/index.js'
import { isActive } from '../jobs.js'

/**
 * What is around every page: its header, and what the instructor's room says. Pure.
 *
 * @import { Token } from '../../http/index.js'
 * @import { Html } from '../../report/index.js'
 * @import { SubmittedFile } from '../../shared/seat-and-room.js'
 * @import { Job } from '../jobs.js'
 * @import { ClassState } from '../seat-state.js'
 * @import { Fitness } from '../serving.js'
 *
 * @typedef {Pick<ClassState, 'seat' | 'room' | 'isGone'>} Heard
 * @typedef {Token & { classroom: Heard, fitness?: Fitness }} Around what every page is shown with
 * @typedef {{ href: string, text: string }} Crumb a page above this one
 *
 * @typedef {object} Place where a page is
 * @property {string} [lesson] slug
 * @property {Crumb[]} [crumbs] the pages above it, but for the first page
 * @property {string} [here] its own name, after them
 *
 * @param {Omit<Parameters<typeof frame>[0], 'above'> & Omit<Around, 'token'> & Place} page
 * @returns {string} HTML
 */
export function workshopFrame ({
  classroom, fitness, lesson = '', crumbs = [], here = '', styles = [], scripts = [], ...page
}) {
  const parts = aroundParts({ classroom, fitness }, lesson)
  return frame({
    ...page,
    nav: html`<nav class="ways" aria-label="Workshop"><a href="/#lessons">Lessons</a>
<a href="/docs/which-tool">Tools</a> <a href="/docs/glossary">Glossary</a> <a href="/#class">Class</a></nav>${
  here === '' ? '' : crumbsHtml(crumbs, here)}${
      fitness === undefined ? '' : html`<span class="fitness" data-part="chip">${parts.chip}</span>`}`,
    styles: ['workshop', ...styles].map((name) => `/static/runner/web/browser/${name}.css`),
    scripts: ['page', ...scripts].map((name) => `/static/runner/web/browser/${name}.js`),
    above: html`<aside class="room-bar" aria-label="Your class" data-lesson="${lesson}">
${partHtml(parts, 'messages', html` aria-live="polite"`)}
${partHtml(parts, 'room')}
${partHtml(parts, 'factor')}
<p role="alert" data-said></p></aside>`
  })
}

/**
 * What the frame of a page below a lesson's is given.
 *
 * @param {{ slug: string, number: number, title: string } & Around} lesson
 * @param {string} here the page's own name
 */
export function belowLesson ({ slug, number, title, token, classroom, fitness }, here) {
  const crumbs = [{ href: `/lessons/${slug}`, text: `${number} ${marks.dot} ${title}` }]
  const whole = `${here} ${marks.dot} ${title} ${marks.dot} Make It Fast`
  return { token, classroom, fitness, lesson: slug, title: whole, crumbs, here }
}

/** @param {Omit<Around, 'token'>} around @param {string} [lesson] slug of the page's lesson */
export function aroundParts ({ classroom, fitness }, lesson = '') {
  return { chip: fitness === undefined ? html`` : chipHtml(fitness), ...roomParts(classroom, lesson) }
}

/**
 * An element that the page's stream changes.
 *
 * @template {string} Name
 * @param {Record<Name, Html | ''>} parts
 * @param {Name} name
 * @param {Html} [attributes]
 */
export function partHtml (parts, name, attributes = html``) {
  return html`<div data-part="${name}"${attributes}>${parts[name]}</div>`
}

/** The attributes of a button or form, as `http/browser.js` reads them. @param {string} ask @param {object} [body] */
export function asking (ask, body = {}) {
  return html` data-ask="${ask}" data-body="${JSON.stringify(body)}"`
}

/**
 * The button of a command that's run from here.
 *
 * @param {import('../job-handlers.js').Command} command
 * @param {string} line
 * @param {string} slug of the lesson
 * @param {string} [word]
 */
export function runHtml (command, line, slug, word = 'Run') {
  const { kind } = command
  const ask = kind === 'serve'
    ? 'POST /api/served'
    : kind === 'send' ? `POST /api/lessons/${slug}/send` : 'POST /api/jobs'
  return html`<button type="button" class="small run"${kind === 'serve' || kind === 'send' ? '' : html` data-job`}${
    asking(ask, { ...command, lesson: slug })} aria-label="${word} ${line}">${word}</button>`
}

/** A moment, which the page's script says as its distance from now. @param {string} when ISO 8601 */
export function whenHtml (when) {
  return html`<time datetime="${when}" title="${formatWhen(when)}">${formatWhen(when)}</time>`
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
      ? [html`<a href="/lessons/${encodeURIComponent(lesson)}/diff?with=solution">Now for all: the solution</a>`]
      : []
  ]
  const [newest, ...older] = room.messages.toReversed().map(({ text, sentAt }) => html`<p class="note">
<strong>The instructor says</strong> (${clockTime(sentAt)}): ${withCode(text)}</p>`)
  return {
    messages: html`${newest ?? ''}${older.length === 0
      ? ''
      : html`<details><summary>Said before</summary>${older}</details>`}`,
    room: html`<p class="in-room" data-in-room>${facts.map((fact) => html`<span>${fact}</span> `)}${
      handHtml(isHandUp, lesson)}</p>`,
    factor: prediction?.lesson === lesson ? predictHtml(prediction) : html``
  }
}

/** @param {NonNullable<NonNullable<Heard['room']>['prediction']>} prediction */
function predictHtml ({ lesson, gate, ratio, isOpen }) {
  if (!isOpen) return ratio === null ? html`` : html`<p>You predicted ${ratio}×.</p>`
  return html`<form class="in-room"${asking('POST /api/class/predict', { lesson })}>
<label for="ratio">By what factor will yours beat the slow server in “${gate}”?</label>
<span><input type="number" id="ratio" name="ratio" min="0.1" max="1000" step="any" required value="${ratio ?? ''}">×
<button class="small">${ratio === null ? 'Send to the room' : 'Change it'}</button></span>
<span class="soft">${ratio === null ? 'It becomes' : 'It’s'} a dot on the wall, without your name.</span></form>`
}

/** @param {boolean} isUp @param {string} lesson slug of the page's lesson, or empty */
function handHtml (isUp, lesson) {
  return html`<span>${isUp ? html`<strong>Your hand is up.</strong> ` : ''}<button type="button" class="small"
id="hand"${asking('POST /api/class/hand', { isUp: !isUp, lesson })}>${
  isUp ? 'Lower it' : 'Raise my hand'}</button></span>`
}

/** What the page's script has to know of a job, and the way to end it. @param {Job | null} job @param {string} slug */
export function clockHtml (job, slug) {
  if (job === null) return html`<span id="job"></span>`
  const { id, kind, state, startedAt, elsewhere, tool = 'cpu', server = 'mine' } = job
  const isBusy = isActive(job)
  // Anything that comes later replaces a preview.
  return html`<span id="job" class="soft" data-id="${id}" data-kind="${kind}" data-state="${state}"${
    kind === 'profile' ? html` data-tool="${tool}" data-server="${server}"` : ''}${
    job.lesson === slug ? html` data-own` : ''}${isBusy && kind !== 'preview' ? html` data-taken` : ''}${
    isBusy ? html` data-since="${startedAt}"` : ''}></span>${isBusy && !elsewhere
    ? html` <button type="button" class="small" id="cancel"${asking('DELETE /api/jobs/current')}>Cancel</button>`
    : ''}`
}

/** Slower than this, and checks take noticeably longer. */
const slowPace = 1.5

/** Is this machine fit to measure, in few words? It leads to what else is known of it. @param {Fitness} fitness */
export function chipHtml (fitness) {
  const [tone, words] = sayFitness(fitness)
  const mark = tone === '' ? '' : tone === 'inconclusive' ? marks.warning : marks[tone]
  return html`<a class="machine ${tone}" href="/#machine"><span class="hidden">This machine: </span>${
    mark && html`<span aria-hidden="true">${mark}</span> `}${words}</a>`
}

/** @param {Fitness} fitness @returns {['' | 'pass' | 'fail' | 'inconclusive', string]} */
function sayFitness ({ isBusy, findings, message, cores, pace }) {
  const has = (/** @type {string} */ state) => findings.some((finding) => finding.state === state)
  if (message !== '' && !isBusy && findings.length > 0) {
    if (has('bad')) return ['fail', 'can’t measure']
    return has('doubt') ? ['inconclusive', 'fit to measure, with doubts'] : ['pass', 'fit to measure']
  }
  const count = plural(cores, 'core')
  if (pace < slowPace) return [cores === 1 ? 'inconclusive' : '', count]
  return ['inconclusive', `${count}, slow machine`]
}

/**
 * Handing in to the class: first the list of files, then the button that sends them; empty in no room.
 *
 * @param {{ slug: string, classroom: Heard }} lesson
 */
export function submitHtml ({ slug, classroom: { seat, isGone } }) {
  if (seat === null || isGone) return ''
  return html`<p>The class measures your server again on its own machine. The room keeps what you submit until you leave
or the instructor removes your seat.</p>
<div id="to-submit" data-part="files"><p class="buttons"><button
type="button"${asking(`POST /api/lessons/${slug}/files-to-submit`)}>Show my files</button></p></div>
<p id="submit-said" role="status" data-said></p>`
}

/**
 * @param {string} slug
 * @param {readonly SubmittedFile[]} files
 * @param {string} hash of them: these and no others are sent
 */
export function filesHtml (slug, files, hash) {
  const sizes = files.map(({ path, text }) => html`<li><code>${path}</code>, ${
    Math.ceil(Buffer.byteLength(text) / 1024)} kB</li>`)
  return html`<p>These files go to the room:</p><ul>${sizes}</ul>
<p class="buttons"><button type="button" class="main"${
  asking(`POST /api/lessons/${slug}/submission`, { hash })}>Submit them</button></p>`
}
