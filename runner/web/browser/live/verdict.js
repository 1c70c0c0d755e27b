import { html, marks } from '../../../report/browser.js'

/** @import { Verdict } from '../../../judge/index.js' */

const words = { pass: 'Pass', fail: 'Not yet', inconclusive: 'Inconclusive', error: 'Error' }

/** @param {Verdict} verdict */
export function verdictHtml (verdict) {
  return html`<h3 class="verdict ${verdict}"><span aria-hidden="true">${marks[verdict]}</span> ${words[verdict]}</h3>`
}
