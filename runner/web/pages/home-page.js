import { effortIn, findLessons, measuredIn, readText } from '../../lesson/index.js'
import { describeMachine } from '../../process/index.js'
import { formatRatio, html, marks, withCode } from '../../report/index.js'
import { clockTime, percent, plural } from '../../shared/format.js'
import { nextRow, readRows } from '../../workspace/index.js'
import { solutionText, textOf } from '../page-data.js'
import { pairBarsSvg } from './charts.js'
import { docs, renderMarkdown } from './lesson-text.js'
import { verdictWords } from './live.js'
import { aroundParts, asking, partHtml, whenHtml, workshopFrame } from './workshop-frame.js'

/**
 * @import { Token } from '../../http/index.js'
 * @import { RoomWord } from '../../shared/seat-and-room.js'
 * @import { LessonEntry } from '../../lesson/index.js'
 * @import { Jobs } from '../jobs.js'
 * @import { Classroom, ClassState } from '../seat-state.js'
 * @import { Doctor } from '../serving.js'
 * @import { Rendered } from './lesson-text.js'
 * @import { Around } from './workshop-frame.js'
 *
 * The first page, and those of docs/. First the data of the first one.
 * @typedef {Awaited<ReturnType<typeof readState>>} State of the workshop
 * @typedef {State['lessons'][number]} LessonRow
 * @typedef {NonNullable<State['example']>} Example what a fix is worth, as the project measured it
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {{ jobs: Pick<Jobs, 'current'>, doctor: Pick<Doctor, 'read'>, classroom: Pick<Classroom, 'read'> }} now read
 *   last: reading takes a moment
 */
export async function readState (env, { jobs, doctor, classroom }) {
  /** @type {string[]} */
  const notes = []
  const entries = await findLessons({ env })
  const [rows, efforts, example] = await Promise.all([
    readRows(entries, { write: (text) => notes.push(text.trim()) }),
    Promise.all(entries.map((entry) => readText(textOf(entry), entry).catch(() => '').then(effortIn))),
    readExample(entries[0])
  ])
  const { node, cpu, cores, platform } = describeMachine()
  return {
    lessons: rows.map(({ id, undecided, ...row }, at) =>
      ({ slug: id, ...row, word: undecided || words[row.state], ...efforts[at] })),
    next: nextRow(rows)?.id ?? null,
    job: jobs.current(),
    classroom: await classroom.read(),
    machine: { node, cpu, cores, platform, fitness: doctor.read() },
    example: example && rows[0] ? { ...example, lesson: rows[0].title } : null,
    notes
  }
}

/** The first figure of the first lesson. @param {LessonEntry | undefined} entry */
async function readExample (entry) {
  const { rows: [first], where } = measuredIn(entry === undefined ? '' : await solutionText(entry).catch(() => ''))
  return first === undefined ? null : { ...first, where }
}

/** @type {Record<string, string>} */
const words = { 'not started': '', started: 'begun', ...verdictWords }

/** @param {State} state */
export function homeParts (state) {
  const { lessons, machine, notes, classroom } = state
  const passed = lessons.filter((lesson) => lesson.state === 'pass').length
  return {
    ...aroundParts({ classroom, fitness: machine.fitness }),
    next: nextHtml(state),
    state: html`${notes.map((note) => html`<p class="note">${withCode(note)}</p>`)}
<h2 id="lessons">The lessons</h2>
<p class="progress"><progress max="${lessons.length}" value="${passed}" aria-label="Lessons passed"></progress>
<span>${passed} of ${lessons.length} lessons passed</span></p>
${partsOf(lessons).map(({ part, rows }) => html`${part === '' ? '' : html`<h3 class="part">${part}</h3>`}
<ol class="lessons">${rows.map((lesson) => cardHtml(lesson, state))}</ol>`)}`,
    class: classHtml(classroom),
    fitness: fitnessHtml(machine)
  }
}

/** What the workshop is for, what comes now, and all lessons. @param {State & Token} state @returns {string} HTML */
export function homePage (state) {
  const { machine, classroom, example, token } = state
  const parts = homeParts(state)
  return workshopFrame({
    classroom,
    fitness: machine.fitness,
    title: 'Make It Fast',
    token,
    name: 'home-page',
    parts: '/api/parts',
    styles: ['home'],
    main: html`<div class="hero"><div><h1>Make slow Node.js servers fast, and prove it</h1>
<p class="lead">A lesson hands you a server that is too slow. Measure it, find the cause and fix it. The check then runs
your server against the slow one, here on your machine: a wrong answer never passes, however fast it is.</p>
${partHtml(parts, 'next')}</div>
${example === null ? '' : exampleHtml(example)}</div>
${partHtml(parts, 'state')}
${docLinks(null)}
<section aria-labelledby="own"><h2 id="own">Your own servers</h2>
<p>In a terminal, the judge also <a href="/docs/compare">compares two servers of your own</a>.</p></section>
<section aria-labelledby="class"><h2 id="class">Class</h2>
${partHtml(parts, 'class')}<p role="alert" id="class-said" class="fail" data-said></p></section>
<section aria-labelledby="machine"><h2 id="machine">This machine</h2>
<p class="soft">${machineOf(machine)}. A ratio holds for the machine on which it was measured.</p>
<p class="buttons"><button type="button" id="doctor"${asking('POST /api/fitness')}>Check this machine</button>
<span role="alert" data-said></span></p>
${partHtml(parts, 'fitness', html` role="status"`)}</section>`
  })
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
function farOf ({ state, summary, word }) {
  if (state === 'fail') return 'The last check didn’t pass.'
  if (state === 'inconclusive') return `The last check: ${word}.`
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
<p class="head"><span class="number" aria-hidden="true">${
  state === 'started' ? marks.current : marks[/** @type {'pass'} */ (state)] ?? number}</span>${best}</p>
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
      ? html`<li><a href="/lessons/${encodeURIComponent(slug)}/diff?with=solution">now for all:
the solution</a></li>`
      : ''
  ]
}

/** @param {LessonRow} lesson */
function factsOf ({ state, word, ratio, share, tier, attempts, when, minutes, difficulty }) {
  return [
    state === 'pass' && tier ? `${word}, ${tier}` : word,
    difficulty ?? '',
    minutes === null ? '' : `${minutes} min of work`,
    ratio === null || state === 'pass' ? '' : `last ${ratioOf(ratio)}`,
    share === null ? '' : `${percent(share)} of the reference`,
    attempts === 0 ? '' : plural(attempts, 'check'),
    when === null ? '' : html`checked ${whenHtml(when)}`
  ].filter(Boolean)
}

/** @param {number} ratio */
function ratioOf (ratio) {
  return formatRatio({ ratio, ratioUnit: '×', target: null }, marks)
}

/** @param {State['machine']} machine */
function machineOf ({ node, cpu, cores, platform }) {
  return [cpu, plural(cores, 'core'), platform, `Node.js ${node}`].filter(Boolean).join(', ')
}

/** The lesson that the class is at, while it isn't passed. @param {State} state @returns {string | null} its slug */
function classLesson ({ lessons, classroom: { room } }) {
  const found = lessons.find(({ slug, state }) => slug === room?.current?.lesson && state !== 'pass')
  return found?.slug ?? null
}

/** The seat in an instructor's room, or the way to one. @param {ClassState} classroom */
function classHtml ({ seat, problem, isGone, sent }) {
  const trouble = problem === '' ? '' : html`<p class="note">${withCode(problem)}</p>`
  return html`${trouble}${seat === null ? joinHtml(sent) : isGone ? goneHtml : seatHtml(seat)}`
}

const goneHtml = html`<p class="buttons"><button
type="button"${asking('POST /api/class/leave', { forget: true })}>Forget this room</button></p>`

/** @param {NonNullable<ClassState['seat']>} seat */
function seatHtml ({ name, nickname, board, url, code }) {
  const onBoard = board ? `on the board as ${nickname ?? name}` : 'not on the board'
  const link = code === undefined
    ? ''
    : html` <a href="${url}${encodeURIComponent(code)}/board" rel="noreferrer">The board</a>`
  return html`<p>You are in the room at <code>${url}</code> as <strong>${name}</strong>, ${onBoard}.
Each check is reported there.${link}</p>
<form data-ask="POST /api/class/change"><p><label for="seat-nickname">Nickname</label>
<input type="text" id="seat-nickname" name="nickname" maxlength="40" autocomplete="off" value="${nickname ?? ''}">
<label><input type="checkbox" name="board"${board ? html` checked` : ''}> On the board</label>
<button>Change</button></p></form>
<details><summary>Leave this room</summary>
<p>The room deletes your seat and all its reports. Your own results stay.</p>
<p class="buttons"><button
type="button"${asking('POST /api/class/leave')}>Leave, and delete my seat there</button>
<button type="button"${asking('POST /api/class/leave', { forget: true })}>The room is gone: forget it here</button></p>
</details>`
}

/** @param {string} sent Markdown */
function joinHtml (sent) {
  const field = (/** @type {string} */ name, /** @type {string} */ label, more = html``) =>
    html`<p><label for="join-${name}">${label}</label>
<input type="text" id="join-${name}" name="${name}" autocomplete="off"${more}></p>`
  return html`<p class="soft">In a room, the instructor sees how far you are and whether you’re stuck.</p>
<details><summary>Join a class</summary><form data-ask="POST /api/class/join">
${field('address', 'Address, as the instructor gives it',
    html` required placeholder="http://192.168.1.5:4000/b8zm-k62t" aria-describedby="class-said"`)}
${field('name', 'Your name, for the instructor', html` required maxlength="40"`)}
${field('nickname', 'A nickname for the others, if you like', html` maxlength="40"`)}
<p><label><input type="checkbox" name="board"> Show my best result of the last lesson on the board</label></p>
<h3>What is sent</h3>
${renderMarkdown(sent, { slug: '' }).html}
<p class="buttons"><button class="main">Join</button></p></form></details>`
}

/** What a fix is worth, as a picture: two bars, as long as their figures. @param {Example} example */
function exampleHtml ({ lesson, gate, slow, solution, ratio, where }) {
  const faster = formatRatio({ ratio, ratioUnit: '×', target: null }, marks)
  return html`<figure class="example"><figcaption><strong>${lesson}</strong>: ${gate}</figcaption>
${pairBarsSvg([
  { name: 'slow', side: 'slow', value: parseFloat(slow), text: slow },
  { name: 'fixed', side: 'yours', value: parseFloat(solution), text: solution }
])}
<p><strong class="best">${faster}</strong> <span class="soft">with the reference solution, as the
project measured it: ${where}.</span></p>
</figure>`
}

/** @param {{ name: keyof typeof docs, text: string } & Around} doc text: Markdown @returns {string} HTML */
export function docPage ({ name, text, ...around }) {
  const { html: article, sections } = renderMarkdown(text, { slug: '' })
  return workshopFrame({
    ...around,
    here: docs[name],
    title: `${docs[name]} · Make It Fast`,
    name: 'doc-page',
    main: html`<h1>${docs[name]}</h1>
${name === 'glossary' ? lettersHtml(sections) : ''}
<article>${article}</article>
${docLinks(name)}`
  })
}

/** From A to Z, each letter to its first term. @param {Rendered['sections']} sections */
function lettersHtml (sections) {
  /** @type {Map<string, string>} */
  const firsts = new Map()
  for (const { id, title } of sections) {
    const letter = title[0].toUpperCase()
    if (!firsts.has(letter)) firsts.set(letter, id)
  }
  return html`<nav aria-label="Terms by letter"><ul class="docs">${[...firsts].map(([letter, id]) =>
    html`<li><a href="#${id}">${letter}</a></li>`)}</ul></nav>`
}

/** @param {keyof typeof docs | null} here the page that needs no link; null: none */
function docLinks (here) {
  const links = Object.entries(docs).filter(([name]) => name !== here)
    .map(([name, title]) => html`<li><a href="/docs/${name}">${title}</a></li>`)
  return html`<nav aria-label="Other pages"><ul class="docs">${links}</ul></nav>`
}
