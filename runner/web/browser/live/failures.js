import { escapeHtml, marks } from '../../../report/browser.js'

/** @import { ContractResult } from '../../../judge/index.js' */

/**
 * How many checks of the contract passed.
 *
 * @param {readonly ContractResult[]} contract
 * @returns {string} HTML; empty where nothing was checked
 */
export function contractHtml (contract) {
  if (contract.length === 0) return ''
  const passed = contract.filter(({ status }) => status === 'pass').length
  const word = passed === contract.length ? 'pass' : 'fail'
  return `<p class="${word}"><span aria-hidden="true">${marks[word]}</span>
Contract: ${passed} of ${contract.length} passed</p>`
}

/**
 * The checks of the contract that failed, with the words that they break and the requests that show it.
 *
 * @param {readonly ContractResult[]} failed
 * @returns {string} HTML; empty where none failed
 */
export function failuresHtml (failed) {
  if (failed.length === 0) return ''
  return `<ul class="failures">${failed.map((check) => `<li>${failureHtml(check)}</li>`).join('')}</ul>`
}

/** @param {ContractResult} check */
function failureHtml ({ name, message, promised = '', requests = [] }) {
  const parts = [
    `<p><strong class="fail"><span aria-hidden="true">${marks.fail}</span> ${escapeHtml(name)}</strong></p>`,
    message && `<pre>${escapeHtml(message)}</pre>`,
    promised && `<p class="soft">The text: “${escapeHtml(promised)}”</p>`,
    requests.length > 0 && '<details><summary>Requests that show it</summary>' +
      `<pre><code>${escapeHtml(requests.join('\n'))}</code></pre></details>`
  ]
  return parts.filter(Boolean).join('\n')
}
