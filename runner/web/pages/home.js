import { clockTime, percent } from '../../format.js'
import { html } from '../../report/index.js'
import { formatRatio, formatWhen, marks, withCode } from '../../report/browser.js'
import { classHtml, classLesson } from './class.js'
import { docLinks } from './docs.js'
import { exampleHtml } from './example.js'
import { workshopFrame } from './room-bar.js'

/**
 * @import { RoomWord } from '../../seat/index.js'
 * @import { LessonRow, State } from '../page-data.js'
 * @import { Token } from '../../http/index.js'
 */

/** @type {Record<LessonRow['state'], string>} */
const words = {
  'not started': '',
  started: 'begun',
  pass: 'passed',
  fail: 'not yet',
  inconclusive: 'too close to call'
}
/** @type {Record<LessonRow['state'], string>} */
const signs = { 'not started': '', started: marks.current, pass: marks.pass, fail: marks.fail, inconclusive: '?' }

/**
 * What the workshop is for, what comes now, and all lessons.
 *
 * @param {State & Token} state
 * @returns {string} HTML
 */
export function homePage (state) {
  const { lessons, machine, notes, classroom, example, token } = state
  const passed = lessons.filter((lesson) => lesson.state === 'pass').length
  return workshopFrame({
    classroom,
    fitness: machine.fitness,
    title: 'Make It Fast',
    token,
    name: 'home-page',
    nav: html`<nav class="ways" aria-label="On this page"><a href="#lessons">Lessons</a>
<a href="#class">Class</a></nav>`,
    styles: ['/static/web/browser/home.css'],
    scripts: ['/static/web/browser/home.js'],
    main: html`<div class="hero"><div><h1>Make slow Node.js servers fast, and prove it</h1>
<p class="lead">A lesson hands you a server that is too slow. Measure it, find the cause and fix it. The check then runs
your server against the slow one, here on your machine: a wrong answer never passes, however fast it is.</p>
<div data-part="next">${nextHtml(state)}</div></div>
${example === null ? '' : exampleHtml(example)}</div>
<div data-part="state">
${notes.map((note) => html`<p class="note">${withCode(note)}</p>`)}
<h2 id="lessons">The lessons</h2>
<p class="progress"><progress max="${lessons.length}" value="${passed}" aria-label="Lessons passed"></progress>
<span>${passed} of ${lessons.length} lessons passed</span></p>
${partsOf(lessons).map(({ part, rows }) => html`${part === '' ? '' : html`<h3 class="part">${part}</h3>`}
<ol class="lessons">${rows.map((lesson) => cardHtml(lesson, state))}</ol>`)}
</div>
${docLinks(null)}
<section aria-labelledby="own" data-part="own"><h2 id="own">Your own servers</h2>
${ownHtml(state)}</section>
<section aria-labelledby="class" data-part="class"><h2 id="class">Class</h2>
${classHtml(classroom)}</section>
<section aria-labelledby="machine"><h2 id="machine">This machine</h2>
<p class="soft">${machineOf(machine)}. A ratio holds for the machine on which it was measured.</p>
<p class="buttons"><button type="button" data-doctor>Check this machine</button></p>
<div data-part="fitness" role="status">${fitnessHtml(machine)}</div></section>`
  })
}

/** @param {State} state */
function ownHtml ({ job }) {
  const running = job?.state === 'running' ? job.comparison : undefined
  return running === undefined
    ? html`<p>The judge also compares two servers of your own: <a href="/comparisons">comparisons</a>.</p>`
    : html`<p>Running now:
<a href="/comparisons/${running.id}">${running.after}, compared with ${running.before}</a>.</p>`
}

/** Neighbours of one part. @param {LessonRow[]} lessons */
function partsOf (lessons) {
  /** @type {{ part: string, rows: LessonRow[] }[]} */
  const parts = []
  for (const lesson of lessons) {
    const last = parts.at(-1)
    if (last?.part === lesson.part) last.rows.push(lesson)
    else parts.push({ part: lesson.part, rows: [lesson] })
  }
  return parts
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
  const isBusy = job?.state === 'running' || job?.state === 'waiting'
  const running = isBusy && job.kind !== 'compare' ? job : null
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
      : isBegun ? 'Continue' : lesson.number === 1 ? 'Begin' : 'Next'
  return html`<section class="next" aria-labelledby="next">
<h2 id="next">${head}: lesson ${lesson.number}, ${lesson.title}</h2>
<p>${running ? running.message : farOf(lesson)}</p>
<p><a class="button" href="/lessons/${encodeURIComponent(lesson.slug)}">${
    running ? 'Watch it' : isBegun ? 'Continue' : 'Begin'}</a></p></section>`
}

/** @param {LessonRow} lesson */
function farOf ({ state, summary }) {
  if (state === 'fail') return 'The last check didn’t pass.'
  if (state === 'inconclusive') return 'The last check was too close to call.'
  return summary
}

/** @param {LessonRow} lesson @param {State} state */
function cardHtml (lesson, { next, classroom }) {
  const { slug, number, title, summary, state, ratio } = lesson
  const word = classroom.room?.lessons.find(({ id }) => id === slug)
  const best = state !== 'pass' || ratio === null
    ? ''
    : html`<strong class="best"><span class="hidden">best </span>${ratioOf(ratio)}</strong>`
  return html`<li class="card ${state.replace(' ', '-')}"${slug === next ? html` aria-current="step"` : ''}>
<p class="head"><span class="number" aria-hidden="true">${signs[state] || number}</span>${best}</p>
<h3><a href="/lessons/${encodeURIComponent(slug)}"><span class="hidden">Lesson ${number} ${marks.dot} </span>${
    title}</a></h3>
<p>${summary}</p>
<ul class="facts">${factsOf(lesson).map((fact) => html`<li>${fact}</li>`)}${wordsHtml(word, slug)}</ul></li>`
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
function factsOf ({ state, ratio, share, tier, attempts, when, minutes, difficulty }) {
  return [
    state === 'pass' && tier ? `${words.pass}, ${tier}` : words[state],
    difficulty ?? '',
    minutes === null ? '' : `${minutes} min of work`,
    ratio === null || state === 'pass' ? '' : `last ${ratioOf(ratio)}`,
    share === null ? '' : `${percent(share)} of the reference`,
    attempts === 0 ? '' : `${attempts} ${attempts === 1 ? 'check' : 'checks'}`,
    when === null ? '' : `last on ${formatWhen(when)}`
  ].filter(Boolean)
}

/** @param {number} ratio */
function ratioOf (ratio) {
  return formatRatio({ ratio, ratioUnit: '×', target: null }, marks)
}

/** @param {State['machine']} machine */
function machineOf ({ node, cpu, cores, platform }) {
  return [cpu, `${cores} ${cores === 1 ? 'core' : 'cores'}`, platform, `Node.js ${node}`].filter(Boolean).join(', ')
}
