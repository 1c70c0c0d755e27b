import { clockTime, percent } from '../../format.js'
import { html } from '../../report/index.js'
import { formatRatio, formatWhen, marks, withCode } from '../../report/browser.js'
import { classHtml, classLesson } from './class.js'
import { docLinks } from './docs.js'
import { workshopFrame } from './room-bar.js'

/**
 * @import { RoomWord } from '../../seat/index.js'
 * @import { LessonRow, State } from '../lessons.js'
 * @import { Token } from '../../http/index.js'
 */

/** @type {Record<LessonRow['state'], string>} */
const words = {
  'not started': 'not started',
  started: 'begun',
  pass: 'passed',
  fail: 'not yet',
  inconclusive: 'inconclusive'
}
/** @type {Record<LessonRow['state'], string>} */
const signs = { 'not started': '', started: marks.current, pass: marks.pass, fail: marks.fail, inconclusive: '?' }

/**
 * All lessons as a path, and what comes now. It says of a lesson what its title and its summary say.
 *
 * @param {State & Token} state
 * @returns {string} HTML
 */
export function homePage (state) {
  const { lessons, machine, notes, classroom, token } = state
  const passed = lessons.filter((lesson) => lesson.state === 'pass').length
  return workshopFrame({
    classroom,
    title: 'Make It Fast',
    token,
    name: 'home-page',
    nav: html` <a href="#class">Class</a>`,
    styles: ['/static/web/browser/home.css'],
    scripts: ['/static/web/browser/home.js'],
    main: html`<div class="intro"><h1>Make Node.js servers fast</h1>
<p>Most lessons are a slow server. Measure it, find out why, change it: the check compares yours with the slow one, here
on your machine.</p>
${docLinks(null)}</div>
<div data-part="state">
${notes.map((note) => html`<p class="note">${withCode(note)}</p>`)}
<p class="progress"><progress max="${lessons.length}" value="${passed}" aria-label="Lessons passed"></progress>
<span>${passed} of ${lessons.length} lessons passed</span></p>
${nextHtml(state)}
<h2>The lessons</h2>
<ol class="lessons">${lessons.map((lesson) => stepHtml(lesson, state))}</ol>
</div>
<section aria-labelledby="class" data-part="class"><h2 id="class">Class</h2>
${classHtml(classroom)}</section>
<section aria-labelledby="machine"><h2 id="machine">This machine</h2>
<p class="soft">${machineOf(machine)}. A ratio holds for the machine on which it was measured.</p>
<p class="buttons"><button type="button" data-doctor>Is it fit to measure?</button></p>
<div data-part="fitness" role="status">${fitnessHtml(machine)}</div></section>`
  })
}

/** @param {State['machine']} machine */
function fitnessHtml ({ fitness: { findings, message } }) {
  const items = findings.map(({ state, what, fix = '' }) => html`<li class="${tones[state]}"><span aria-hidden="true">${
    marks[tones[state]]}</span> <span>${what}${fix === '' ? '' : html` ${withCode(fix)}`}</span></li>`)
  return html`${items.length === 0 ? '' : html`<ul class="findings">${items}</ul>`}<p>${withCode(message)}</p>`
}

/** @type {Record<State['machine']['fitness']['findings'][number]['state'], 'pass' | 'inconclusive' | 'fail'>} */
const tones = { good: 'pass', doubt: 'inconclusive', bad: 'fail' }

/** @param {State} state */
function nextHtml (state) {
  const { lessons, job, classroom: { room } } = state
  const now = classLesson(state)
  const next = now ?? state.next
  const running = job?.state === 'running' || job?.state === 'waiting' ? job : null
  const lesson = lessons.find(({ slug }) => slug === (running?.lesson ?? next))
  if (lesson === undefined) {
    return html`<section class="next" aria-labelledby="next"><h2 id="next">All lessons passed</h2>
<p>You have made ${lessons.length} slow servers fast. <code>npm run certificate</code> makes a page of it to keep.</p>
</section>`
  }
  const isBegun = lesson.state !== 'not started'
  const head = running
    ? 'Running now'
    : now !== null && room?.current
      ? `Now in class, until ${clockTime(room.current.until)}`
      : isBegun ? 'Go on with' : lesson.number === 1 ? 'Begin with' : 'Next'
  return html`<section class="next" aria-labelledby="next">
<h2 id="next">${head}: lesson ${lesson.number}, ${lesson.title}</h2>
<p>${lesson.summary}</p>
<p>${running ? running.message : farHtml(lesson)}</p>
<p><a class="button" href="/lessons/${encodeURIComponent(lesson.slug)}">${
    running ? 'Watch it' : isBegun ? 'Go on' : 'Begin'}</a></p></section>`
}

/** @param {LessonRow} lesson */
function farHtml ({ state }) {
  if (state === 'fail') return 'Its last check didn’t pass.'
  if (state === 'inconclusive') return 'Its last check was inconclusive.'
  if (state === 'started') return 'It has no verdict yet.'
  return ''
}

/** @param {LessonRow} lesson @param {State} state */
function stepHtml (lesson, { next, classroom }) {
  const { slug, number, title, summary, state } = lesson
  const word = classroom.room?.lessons.find(({ id }) => id === slug)
  return html`<li class="step ${state.replace(' ', '-')}"${slug === next ? html` aria-current="step"` : ''}>
<span class="number" aria-hidden="true">${signs[state] || number}</span>
<div><h3><a href="/lessons/${encodeURIComponent(slug)}"><span class="hidden">Lesson </span>${number} ${marks.dot} ${
    title}</a></h3>
<p>${summary}</p>
<ul class="facts">${factsOf(lesson).map((fact) => html`<li>${
    fact}</li>`)}${wordsHtml(word, slug)}</ul></div></li>`
}

/** What the instructor says of a lesson. @param {RoomWord['lessons'][number] | undefined} word @param {string} slug */
function wordsHtml (word, slug) {
  return [
    word?.isLocked ? html`<li>not opened by the instructor yet</li>` : '',
    word?.isRevealed
      ? html`<li><a href="/lessons/${encodeURIComponent(slug)}/compare?with=solution">now for all:
the solution</a></li>`
      : ''
  ]
}

/** @param {LessonRow} lesson @returns {string[]} */
function factsOf ({ state, ratio, share, tier, attempts, when, minutes }) {
  return [
    state === 'pass' && tier ? `${words.pass}, ${tier}` : words[state],
    minutes === null ? '' : `${minutes} min to read`,
    ratio === null
      ? ''
      : `${state === 'pass' ? 'best' : 'last'} ${formatRatio({ ratio, ratioUnit: '×', target: null }, marks)}`,
    share === null ? '' : `${percent(share)} of the reference`,
    attempts === 0 ? '' : `${attempts} ${attempts === 1 ? 'check' : 'checks'}`,
    formatWhen(when)
  ].filter(Boolean)
}

/** @param {State['machine']} machine */
function machineOf ({ node, cpu, cores, platform }) {
  return [cpu, `${cores} ${cores === 1 ? 'core' : 'cores'}`, platform, `Node.js ${node}`].filter(Boolean).join(', ')
}
