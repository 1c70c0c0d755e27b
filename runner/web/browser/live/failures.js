import { html, marks } from '../../../report/browser.js'

/** @import { ContractResult } from '../../../judge/index.js' */

/** How many checks of the contract passed; empty where there were none. @param {readonly ContractResult[]} contract */
export function contractHtml (contract) {
  if (contract.length === 0) return ''
  const passed = contract.filter(({ status }) => status === 'pass').length
  const word = passed === contract.length ? 'pass' : 'fail'
  return html`<p class="${word}"><span aria-hidden="true">${marks[word]}</span>
Contract: ${passed} of ${contract.length} passed</p>`
}

/**
 * The failed checks of the contract, with the words that they break and the requests that show it; empty where none is.
 *
 * @param {readonly ContractResult[]} failed
 */
export function failuresHtml (failed) {
  if (failed.length === 0) return ''
  return html`<ul class="failures">${failed.map((check) => html`<li>${failureHtml(check)}</li>`)}</ul>`
}

/** @param {ContractResult} check */
function failureHtml ({ name, message, promised = '', requests = [] }) {
  return html`<p><strong class="fail"><span aria-hidden="true">${marks.fail}</span> ${name}</strong></p>
${message && html`<pre>${message}</pre>`}
${promised && html`<p class="soft">The lesson says: “${promised}”</p>`}
${requests.length === 0
    ? ''
    : html`<details><summary>Requests that show it</summary><pre><code>${requests.join('\n')}</code></pre></details>`}`
}
