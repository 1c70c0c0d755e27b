import { html, marks } from '../../../report/browser.js'
import { differingPart } from './difference.js'

/** @import { ContractResult } from '../../../judge/index.js' */

/**
 * How many checks of the contract passed; empty without any.
 *
 * @param {readonly ContractResult[]} contract
 * @param {string} [name] what was checked
 */
export function contractHtml (contract, name = 'Contract') {
  if (contract.length === 0) return ''
  const passed = contract.filter(({ status }) => status === 'pass').length
  const word = passed === contract.length ? 'pass' : 'fail'
  return html`<p class="${word}"><span aria-hidden="true">${marks[word]}</span>
${name}: ${passed} of ${contract.length} passed</p>`
}

/**
 * The failed checks of the contract, with the words that they break and the requests that show it, grouped by
 * cause; empty when all pass.
 *
 * @param {readonly ContractResult[]} failed
 */
export function failuresHtml (failed) {
  if (failed.length === 0) return ''
  /** @type {Map<string, ContractResult[]>} */
  const causes = new Map()
  for (const check of failed) {
    const cause = causeOf(check.message)
    causes.set(cause, [...causes.get(cause) ?? [], check])
  }
  return html`<ul class="failures">${[...causes.values()].map(([first, ...others]) => html`<li>${failureHtml(first)}${
    others.length === 0
      ? ''
      : html`<p>${others.length} more ${others.length === 1 ? 'check fails' : 'checks fail'} for the same reason:
${others.map(({ name }) => name).join('; ')}.</p>`}</li>`)}</ul>`
}

const difference = /\bexpected (?:status )?([^]+), got ([^]+)$/
/** The reason in brackets after two whole answers, which says more than they do. */
const inBrackets = / \(([^()]+: expected [^]+, got [^]+)\)$/

/** @param {string} message */
function differenceIn (message) {
  return difference.exec(inBrackets.exec(message)?.[1] ?? message)
}

/** @param {string} message */
function causeOf (message) {
  return differenceIn(message)?.[0] ?? message
}

/** @param {ContractResult} check */
function failureHtml ({ name, message, promised = '', requests = [] }) {
  return html`<p><strong class="fail"><span aria-hidden="true">${marks.fail}</span> ${name}</strong></p>
${message && messageHtml(message)}
${promised && html`<p class="soft">The lesson says: <a href="#:~:text=${encodeURIComponent(promised)}" data-promised>“${
  promised}”</a></p>`}
${requests.length === 0
    ? ''
    : html`<details><summary>Requests that show it</summary><pre><code>${requests.join('\n')}</code></pre>
<p><button type="button" class="small" data-copy="${requests.join('\n')}">Copy</button></p></details>`}`
}

/** What was expected and what came, one above the other, with what differs marked. @param {string} message */
function messageHtml (message) {
  const found = differenceIn(message)
  if (found === null) return html`<pre>${message}</pre>`
  const [, expected, got] = found
  const before = found.input.slice(0, found.index).replace(/[\s:]+$/, '')
  const { start, ends } = differingPart(expected, got)
  const marked = (/** @type {string} */ text, /** @type {number} */ end) => html`<code>${text.slice(0, start)}<mark>${
    text.slice(start, end)}</mark>${text.slice(end)}</code>`
  return html`${before && html`<p>${before}</p>`}<dl class="difference"><dt>expected</dt>
<dd>${marked(expected, ends[0])}</dd><dt>got</dt><dd>${marked(got, ends[1])}</dd></dl>`
}
