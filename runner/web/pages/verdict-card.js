import { isOpen, kindOf, leadingGate, reachedTier, sayUndecided } from '../../judge/index.js'
import { errorOf, formatNumber, formatRatio, formatTarget, html, marks, withCode } from '../../report/index.js'
import { capitalised, plural } from '../../shared/format.js'
import { commandOf } from '../job-handlers.js'
import { pairBarsSvg } from './charts.js'
import { frameHtml } from './code-lines.js'
import { contractHtml, failuresHtml, verdictWords } from './live.js'
import { runHtml, whenHtml } from './workshop-frame.js'

/**
 * @import { GateResult, ResultRecord } from '../../judge/index.js'
 * @import { Html } from '../../report/index.js'
 * @import { CodeFrame } from './code-lines.js'
 */

/**
 * The verdict at a glance: the outcome, from which figure to which, its reason, and the way on.
 *
 * @param {ResultRecord} record
 * @param {object} around
 * @param {Html | string} around.onward ways on from here
 * @param {CodeFrame | null} around.frame where its server failed
 * @param {boolean} [around.canGoOn] with the rounds that it has
 */
export function verdictCard (record, { onward, frame, canGoOn = false }) {
  const { verdict, startedAt, contract, gates, next, lesson } = record
  const failed = contract.filter(({ status }) => status === 'fail')
  // What a pass leads to is a button.
  const advice = next === '' || (verdict === 'pass' && onward !== '')
    ? ''
    : html`<p><strong>Next:</strong> ${inBrowser(next, lesson, canGoOn)}</p>`
  return html`<section class="result-card ${verdict}" aria-labelledby="verdict">
<h3 id="verdict" class="verdict"><span aria-hidden="true">${marks[verdict]}</span> ${titleOf(record)}</h3>
${failed.length > 0 ? '' : changeHtml(gates)}
${isTold(record) ? '' : html`<p>${inBrowser(record.reason, lesson)}</p>`}
${verdict === 'inconclusive' ? disturbedHtml(record) : ''}
${verdict === 'fail' ? problemHtml(record, frame) : ''}
${failuresHtml(failed, lesson.id)}
${contractHtml(record)}
${advice}${onward}
<p class="soft">${whenHtml(startedAt)}</p></section>`
}

/** What a passed check is worth, stands next to its bars. @param {ResultRecord} record */
function titleOf (record) {
  const tier = reachedTier(leadingGate(record.gates))
  return record.verdict === 'pass' ? `Passed${tier === null ? '' : `: ${tier}`}` : headline(record)
}

/** From which figure to which, as on the first page. @param {GateResult[]} gates */
function changeHtml (gates) {
  const missed = gates.find(({ verdict, ratio }) => verdict === 'fail' && ratio !== null)
  const gate = missed ?? leadingGate(gates) ?? gates[0]
  if (!gate || gate.yours === null || gate.baseline === null || gate.ratio === null) return ''
  const { name, kind, baseline, yours, unit, servers = kindOf(kind).servers ?? ['slow', 'yours'] } = gate
  const shown = (/** @type {number} */ figure) => `${formatNumber(figure, marks.none)} ${unit}`
  return html`<div class="change"><div><p class="soft">${name}</p>${pairBarsSvg([
    { name: servers[0], side: 'slow', value: baseline, text: shown(baseline) },
    { name: servers[1], side: 'yours', value: yours, text: shown(yours) }
  ])}</div><strong class="factor">${formatRatio(gate, marks)}</strong></div>`
}

/** Where it's open, the machine may be the reason. @param {ResultRecord} record */
function disturbedHtml ({ rounds, reason }) {
  const disturbed = rounds.flatMap((round) => round.disturbed ?? [])
  if (disturbed.length === 0 || reason.includes('disturbed')) return ''
  return html`<p>${disturbed.length} of ${plural(rounds.length, 'round')} ${
    disturbed.length === 1 ? 'was' : 'were'} disturbed: ${withCode(disturbed[0].replace(/\.$/, ''))}.</p>`
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

/** @param {ResultRecord} record @returns {string} */
export function headline ({ verdict, reason, gates, contract }) {
  if (verdict === 'pass') {
    const gate = leadingGate(gates)
    const tier = reachedTier(gate)
    const better = gate?.kind === 'rate' ? 'faster' : gate?.kind === 'latency' ? 'shorter' : null
    const said = gate && better ? `${formatRatio(gate, marks)} ${better}. ` : ''
    return `${said}Passed${tier === null ? '' : `: ${tier}`}.`
  }
  if (verdict === 'inconclusive') {
    return `${capitalised(sayUndecided(gates))}${sayOdds(gates)}.`
  }
  if (verdict === 'error') return `This ${verdictWords.error}.`
  const why = whyNot({ reason, gates, contract })
  return why === null ? 'Not yet.' : `Not yet: ${why}.`
}

/** Does the headline say why? @param {ResultRecord} record */
export function isTold (record) {
  return record.verdict === 'pass' || (record.verdict === 'fail' && whyNot(record) !== null)
}

/** @param {GateResult[]} gates */
function sayOdds (gates) {
  const met = gates.filter(({ verdict }) => verdict === 'pass').length
  return met === 0 ? '' : `: ${met} of ${plural(met + gates.filter(isOpen).length, 'target')} met`
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

/**
 * What sentences for a terminal name, and what the browser has instead.
 *
 * @type {[RegExp, (lesson: { id: string }, canGoOn: boolean) => Html][]}
 */
const places = [
  [/`?npm run doctor`?/, () => html`<a href="/#machine">the check of this machine</a>`],
  [/`?npm run hint \S+`?/, () => html`<a href="#hints">take a hint</a>`],
  [/`?(?:solutions\/[\w-]+\/README\.md|npm run solution [\w-]+)`?/, ({ id }) =>
    html`<a href="/lessons/${id}/diff?with=solution">the solution</a>`],
  [/go on with the rounds you have: `?npm run [^`]*--more`?/i, (lesson, canGoOn) =>
    html`${canGoOn ? 'measure longer' : 'check again'}`],
  [/run the check again with more time: `?-- --seconds \d+`?/i, () => html`run the check again`],
  [/`?npm run diff [\w-]+`?/, ({ id }) => html`<a href="/lessons/${id}/diff?with=slow">the comparison</a>`],
  [/`?npm run list`?/, () => html`<a href="/">the first page</a>`]
]

/**
 * A sentence that was written for a terminal, for a page: what it names is linked, commands are code, and have a button
 * if they can be run from here.
 *
 * @param {string} sentence what's between backticks is code
 * @param {{ id: string, number: number }} lesson
 * @param {boolean} [canGoOn] with the rounds of the last check
 * @returns {Html}
 */
export function inBrowser (sentence, lesson, canGoOn = false) {
  for (const [pattern, link] of places) {
    const found = pattern.exec(sentence)
    if (found === null) continue
    const [before, after] = [sentence.slice(0, found.index), sentence.slice(found.index + found[0].length)]
    return html`${inBrowser(before, lesson, canGoOn)}${link(lesson, canGoOn)}${inBrowser(after, lesson, canGoOn)}`
  }
  const marked = sentence.replace(/(?<!`)npm run [\w-]+( [\w-]+)*( -- --\S+)?(?!`)/g, '`$&`')
  return html`${marked.split('`').map((part, at) => {
    const command = at % 2 === 1 ? commandOf(part, [`lesson-${lesson.number}`, lesson.id]) : null
    return at % 2 === 0
      ? part
      : html`<code>${part}</code>${command === null ? '' : html` ${runHtml(command, part, lesson.id)}`}`
  })}`
}
