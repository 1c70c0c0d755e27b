import { percent } from '../shared/format.js'
import { noName } from '../shared/text.js'
import { html, paragraphs } from '../report/index.js'
import { inlineHtml } from './pages/lesson-text.js'

/**
 * A prediction, and what the profiles say about it. Pure. Only names can be compared: what the learner meant is theirs
 * to judge.
 *
 * @import { QuestionGroup } from '../lesson/index.js'
 * @import { CpuFigures, ReadReport, SeenFunction, TraceFigures } from '../profiling/index.js'
 * @import { Prediction } from '../workspace/index.js'
 *
 * @typedef {ReturnType<typeof seenIn>} Seen time: where it goes; growth: sentences; each null before there is such a
 *   profile; server: whose they are: `yours`, `the slow server`
 */

/**
 * By the slow server's profiles, which the prediction is about; before there are any, by the learner's own.
 *
 * @param {Prediction} prediction
 * @param {Pick<ReadReport, 'server' | 'cpu' | 'trace'>[]} reports the newest first
 */
export function seenIn (prediction, reports) {
  const slow = reports.filter(({ server }) => server === 'slow')
  const found = slow.length > 0 ? slow : reports
  const cpu = found.find(({ cpu }) => cpu !== null)?.cpu ?? null
  const trace = found.find(({ trace }) => trace !== null)?.trace ?? null
  return {
    time: cpu && timeSeen(prediction.map(({ answer }) => answer).join('\n'), cpu),
    growth: trace && growthSeen(trace),
    server: slow.length > 0 ? 'the slow server' : 'yours'
  }
}

const mostShown = 3
/** A share that rounds to nothing. */
const leastShare = 0.001

/** @param {string} text the whole prediction; may be empty @param {CpuFigures} figures */
export function timeSeen (text, { functions, slow, sentences: reading }) {
  const own = functions.filter(({ owner, charged }) => owner === 'yours' && charged >= leastShare)
    .sort((a, b) => b.charged - a.charged)
  const named = namedIn(text, [...functions, ...slow?.functions ?? []])
  const [largest] = own
  const ownSentence = largest === undefined
    ? 'None of the server’s own functions took any time that could be seen.'
    : `Its largest function is ${called(largest)}: ${shareOf(largest)}.`
  const sentences = named.slice(0, mostShown).map((one) => {
    if (slow === null) return `You named ${called(one)}: ${shareOf(one)}.`
    const now = functions.find(isSame(one))
    const before = slow.functions.find(isSame(one))
    const [inSlow, inYours] = [before, now].map((found) => found ? shareOf(found) : 'not seen')
    return `You named ${called(now ?? { ...one, place: '' })}: ${inSlow} in the slow server, ${inYours} in yours.`
  })
  // An idle thread is the answer, whatever was named.
  if (named.length === 0 || / is idle \d/.test(reading[0])) sentences.unshift(...reading.slice(0, 1))
  if (!named.some(isSame(largest))) sentences.push(ownSentence)
  return { sentences, top: own.slice(0, mostShown) }
}

/**
 * The functions that a text names, the largest share first. Words of plain English are names too (`next`, `send`): of
 * packages and of Node.js only what looks like code counts.
 *
 * @param {string} text
 * @param {SeenFunction[]} functions
 * @returns {SeenFunction[]}
 */
function namedIn (text, functions) {
  const words = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)?.map(withoutSync))
  const code = new Set([...text.matchAll(/`([^`]*)`|([\p{L}\p{N}_$.]+)(?=\()|\.([\p{L}\p{N}_$]+)/gu)]
    .flatMap((match) => match[0].match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).map(withoutSync))
  const found = functions.filter(({ name, owner }) => {
    const word = lastName(name)
    if (!words.has(word)) return false
    return owner === 'yours' || owner === 'native' || code.has(word) || /[\p{Lu}\d_$]/u.test(word)
  }).sort((a, b) => share(b) - share(a))
  return found.filter(({ name }, at) => found.findIndex((one) => lastName(one.name) === lastName(name)) === at)
}

/** @param {TraceFigures} figures @returns {string[]} sentences, what grows first */
export function growthSeen ({ findings, summary: { loadMs } }) {
  const [growing, others] = [true, false].map((wanted) =>
    findings.filter(({ rule }) => (rule === 'memory' || rule === 'handles') === wanted).map(({ text }) => text))
  const none = `Neither memory nor handles kept growing in ${(loadMs / 1000).toFixed(1)} s of load. Does another ` +
    'curve of the report climb?'
  return [...(growing.length > 0 ? growing : [none]), ...others]
}

/** Of `Server.handle` or `get size`, whichever form of it is called. @param {string} name */
function lastName (name) {
  return withoutSync(name.replace(/^.*[. ]/, ''))
}

/** `pbkdf2` for `pbkdf2Sync`. @param {string} name */
function withoutSync (name) {
  return name.replace(/(?<=.)Sync$/, '')
}

/** Where the time is spent: of the learner's own functions these add up. @param {SeenFunction} one */
function share ({ owner, charged, total }) {
  return owner === 'yours' ? charged : total
}

/**
 * Without its line: in the other server it may be elsewhere.
 *
 * @param {SeenFunction | undefined} one
 * @returns {(other: SeenFunction) => boolean}
 */
function isSame (one) {
  return (other) => other.owner === one?.owner && lastName(other.name) === lastName(one.name)
}

/** @param {SeenFunction} one */
function shareOf (one) {
  return `${percent(share(one))} of ${one.thread.startsWith('main') ? 'the ' : ''}${one.thread}`
}

/** @param {SeenFunction} one */
function called ({ name, place, owner }) {
  if (name === `function at ${place}`) return `\`${place}\``
  return owner === 'yours' && !name.includes(place) ? `\`${name}\` (${place})` : `\`${name}\``
}

/**
 * The lesson's questions, each with room for an answer.
 *
 * @param {{ questions: QuestionGroup[], prediction: Prediction | null }} given
 */
export function predictionFields ({ questions: groups, prediction }) {
  let count = 0
  const answers = new Map(prediction?.map(({ question, answer }) => [question, answer]))
  const field = (/** @type {string} */ question) => {
    const id = `answer-${++count}`
    return html`<p><label for="${id}">${inlineHtml(question)}</label>
<textarea id="${id}" name="answers" rows="1" maxlength="2000">${answers.get(question) ?? ''}</textarea></p>`
  }
  return groups.map(({ intro, questions }) => intro === ''
    ? html`${questions.map(field)}`
    : html`<fieldset><legend>${inlineHtml(intro)}</legend>${questions.map(field)}</fieldset>`)
}

/**
 * A prediction, next to what the learner's profiles have shown; empty before there is one.
 *
 * @param {{ slug: string, prediction: Prediction | null, seen: Seen | null }} given
 */
export function seenHtml ({ slug, prediction, seen }) {
  if (prediction === null) return ''
  const answered = prediction.map(({ question, answer }) => html`<dt>${inlineHtml(question)}</dt>
<dd>${answer === '' ? html`<span class="soft">no prediction</span>` : `“${answer}”`}</dd>`)
  const { time, growth, server } = seen ?? { time: null, growth: null, server: 'yours' }
  return html`<div class="seen"><div><h3>You predicted</h3><dl class="answers">${answered}</dl></div>
<div><h3>The profile of ${server === 'yours' ? 'your server' : server} says</h3>${time === null && growth === null
    ? html`<p class="soft">Nothing yet: profile the server.</p>`
    : html`${time === null ? '' : timeHtml(time)}${growth === null ? '' : growthHtml(growth)}`}
<p>What the project measured is under <a href="/lessons/${slug}#2-predict">Answers</a> in the lesson.</p></div></div>`
}

/** @param {string[]} sentences */
function growthHtml (sentences) {
  return html`<h4>Over time</h4>${paragraphs(sentences)}`
}

/** @param {ReturnType<typeof timeSeen>} time */
function timeHtml ({ sentences, top }) {
  const items = top.map(({ name, place, charged }) => html`<li>${
    name === `function at ${place}` ? noName : name} <span class="soft">${place}</span>: ${percent(charged)}</li>`)
  return html`${paragraphs(sentences)}${items.length < 2 ? '' : html`<p>Its hottest functions:</p><ol>${items}</ol>`}
<p class="soft">Only names are compared; what you meant is for you to judge. A share is that of the function itself,
with what it called outside the server’s files.</p>`
}
