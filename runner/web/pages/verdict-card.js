import jsTokens from 'js-tokens'
import { kindOf, leadingGate, reachedTier, sideOfTarget } from '../../judge/index.js'
import {
  errorOf, formatNumber, formatRatio, formatTarget, formatWhen, html, marks, trusted, withCode
} from '../../report/index.js'
import { contractHtml, verdictWords } from './live.js'
import { asking } from './workshop-frame.js'

/**
 * @import { GateResult, ResultRecord } from '../../judge/index.js'
 * @import { Html } from '../../report/index.js'
 *
 * @typedef {{ file: string, line: number, text: string }} CodeFrame text: the whole file
 */

/**
 * The verdict at a glance: the outcome, from which figure to which, and the way on.
 *
 * @param {ResultRecord} record
 * @param {{ onward: Html | string, frame: CodeFrame | null }} around
 */
export function verdictCard (record, { onward, frame }) {
  const { verdict, startedAt, gates } = record
  return html`<section class="result-card ${verdict}" aria-labelledby="verdict">
<h3 id="verdict" class="verdict"><span aria-hidden="true">${marks[verdict]}</span> ${headline(record)}</h3>
${isTold(record) ? '' : html`<p>${inBrowser(record.reason, record.lesson.id)}</p>`}
${changeOf(gates)}
${verdict === 'fail' ? problemHtml(record, frame) : ''}
${contractHtml(record)}
${onward}
<p class="soft">${formatWhen(startedAt)}</p></section>`
}

/**
 * What a server wrote when it failed, and the place in its code; empty where there's nothing to show.
 *
 * @param {Pick<ResultRecord, 'lesson' | 'output' | 'submission'>} record
 * @param {CodeFrame | null} frame
 */
export function problemHtml (record, frame) {
  const found = errorOf(record)
  if (found === null) return ''
  return html`<pre class="problem">${[found.error, ...frame === null ? found.code : []].join('\n')}</pre>
${frame === null ? '' : frameHtml(frame, record.lesson.id)}`
}

/** Five lines of the learner's code, with the relevant one marked. @param {CodeFrame} frame @param {string} slug */
function frameHtml ({ file, line, text }, slug) {
  const lines = highlightLines(text.replaceAll('\r\n', '\n'), file)
  const first = Math.max(1, line - 2)
  const shown = lines.slice(first - 1, line + 2).map((code, at) => html`<span class="line${
    first + at === line ? ' marked' : ''}"><span class="at" aria-hidden="true">${first + at}</span>${code}</span>`)
  return html`<div class="frame"><p><button type="button" class="small"${
    asking(`POST /api/lessons/${slug}/open`, { file, line })}>Open ${file}:${line}</button> <span role="alert"
data-said></span></p>
<pre tabindex="0" aria-label="${file}, line ${line}"><code>${shown}</code></pre></div>`
}

/** @param {ResultRecord} record @returns {string} */
export function headline ({ verdict, reason, gates, contract }) {
  if (verdict === 'pass') {
    const gate = leadingGate(gates)
    const tier = reachedTier(gate)
    const isFaster = gate?.kind === 'rate' || gate?.kind === 'latency'
    return `${isFaster ? `${formatRatio(gate, marks)} faster. ` : ''}Passed${tier === null ? '' : `: ${tier}`}.`
  }
  if (verdict === 'inconclusive') return `Too close to call${sayOdds(gates)}.`
  if (verdict === 'error') return `This ${verdictWords.error}.`
  const why = whyNot({ reason, gates, contract })
  return why === null ? 'Not yet.' : `Not yet: ${why}.`
}

/** Does the headline say why? @param {ResultRecord} record */
function isTold (record) {
  return record.verdict !== 'error' && (record.verdict !== 'fail' || whyNot(record) !== null)
}

/** @param {GateResult[]} gates */
function sayOdds (gates) {
  const open = gates.filter(({ verdict }) => verdict === 'inconclusive')
  if (open.length === 0) return ''
  return open.every((gate) => sideOfTarget(gate) === 'ahead')
    ? ': right, and probably fast enough'
    : ': right, but perhaps not good enough yet'
}

/** @param {Pick<ResultRecord, 'reason' | 'gates' | 'contract'>} record */
function whyNot ({ reason, gates, contract }) {
  const wrong = contract.filter(({ status }) => status === 'fail').length
  if (wrong > 0) return `${wrong} of ${contract.length} checks of its answers ${wrong === 1 ? 'fails' : 'fail'}`
  if (/has a syntax error/.test(reason)) return 'a syntax error'
  if (/before it listened/.test(reason)) return 'your server doesn’t start'
  const gate = gates.find(({ verdict }) => verdict === 'fail')
  if (gate === undefined || gate.ratio === null) return null
  return `${gate.name} is at ${formatRatio(gate, marks)}, and the target is ${formatTarget(gate, marks)}`
}

/** From which figure to which: people remember those, not ratios. @param {GateResult[]} gates */
export function changeOf (gates) {
  const gate = leadingGate(gates) ?? gates.find(({ yours }) => yours !== null)
  if (gate === undefined || gate.yours === null || gate.ratio === null) return ''
  const { name, kind, baseline, yours, unit } = gate
  const show = (/** @type {number | null} */ figure) =>
    `${formatNumber(figure, marks.none)}${unit === 'ms' ? ' ms' : unit === marks.times ? marks.times : ''}`
  const rest = unit === 'ms' || unit === marks.times ? '' : ` ${unit}`
  const both = baseline === null ? show(yours) : `${show(baseline)} → ${show(yours)}`
  const servers = gate.servers ?? kindOf(kind).servers
  return html`<p class="change"><strong>${both}${rest}</strong> <span class="soft">${name}${
    servers === undefined ? '' : `: ${servers.join(' and ')}`}</span></p>`
}

/** What sentences for a terminal name, and what the browser has instead. @type {[RegExp, (slug: string) => Html][]} */
const places = [
  [/`?npm run doctor`?/, () => html`<a href="/#machine">the check of this machine</a>`],
  [/`?npm run hint \S+`?/, () => html`<a href="#panel-hints">take a hint</a>`],
  [/`?(?:solutions\/[\w-]+\/README\.md|npm run solution [\w-]+)`?/, (slug) =>
    html`<a href="/lessons/${slug}/diff?with=solution">the solution</a>`],
  [/go on with the rounds you have: `?npm run [^`]*--more`?/i, () => html`measure longer`],
  [/run the check again with more time: `?-- --seconds \d+`?/i, () => html`run the check again`],
  [/`?npm run list`?/, () => html`<a href="/">the first page</a>`]
]

/**
 * A sentence that was written for a terminal, for a page: what it names is linked, and commands are code.
 *
 * @param {string} sentence what's between backticks is code
 * @param {string} slug of the lesson
 * @returns {Html}
 */
export function inBrowser (sentence, slug) {
  for (const [pattern, link] of places) {
    const found = pattern.exec(sentence)
    if (found === null) continue
    const [before, after] = [sentence.slice(0, found.index), sentence.slice(found.index + found[0].length)]
    return html`${inBrowser(before, slug)}${link(slug)}${inBrowser(after, slug)}`
  }
  return withCode(sentence.replace(/(?<!`)npm run [\w-]+( [\w-]+)*( -- --\S+)?(?!`)/g, '`$&`'))
}

/** Which tokens are marked: enough to tell code from comments. @type {[RegExp, string][]} */
const classes = [
  [/Comment$/, 'comment'],
  [/^(StringLiteral|Template|NoSubstitutionTemplate|RegularExpression)/, 'string']
]

const keywords = new Set(`async await break case catch class const continue debugger default delete do else export
extends false finally for from function if import in instanceof let new null of return static super switch this throw
true try typeof undefined var void while with yield`.split(/\s+/))

/** Long bundles are shown without marks. */
const longest = 200_000

/**
 * JavaScript, line by line, with keywords, strings and comments marked; every other text as it is.
 *
 * @param {string} text
 * @param {string} name of the file, or a language of Markdown's
 * @returns {Html[]}
 */
export function highlightLines (text, name) {
  if (!/(^|\.)([cm]?js|javascript)$/.test(name) || text.length > longest) {
    return text.split('\n').map((line) => html`${line}`)
  }
  const marked = [...jsTokens(text)].map(({ type, value }) => {
    const name = type === 'IdentifierName' ? keywords.has(value) && 'keyword' : classOf(type)
    if (!name) return html`${value}`
    return value.split('\n').map((part) => html`<span class="${name}">${part}</span>`).join('\n')
  })
  return marked.join('').split('\n').map(trusted)
}

/**
 * @param {Html} line highlighted
 * @param {number} start in its text
 * @param {number} end
 * @returns {Html} with that part marked
 */
export function markPart (line, start, end) {
  let at = 0
  const parts = (String(line).match(/<[^>]*>|&[^;]+;|[^<&]/g) ?? []).map((part) => {
    if (part.startsWith('<')) return part
    const isMarked = at >= start && at < end
    at++
    return isMarked ? `<mark>${part}</mark>` : part
  })
  return trusted(parts.join('').replaceAll('</mark><mark>', ''))
}

/** @param {string} type */
function classOf (type) {
  return classes.find(([pattern]) => pattern.test(type))?.[1]
}
