import { html, marks } from '../../../report/browser.js'

/**
 * The words of the browser for verdicts, of a check and of a gate.
 *
 * @import { GateResult, Verdict } from '../../../judge/index.js'
 *
 * @type {Record<Verdict | GateResult['verdict'], string>}
 */
export const verdictWords = {
  pass: 'passed',
  fail: 'not yet',
  inconclusive: 'too close to call',
  error: 'couldn’t be checked',
  dropped: 'not judged here',
  'not measured': 'not measured'
}

/**
 * With its mark.
 *
 * @param {Verdict | GateResult['verdict']} verdict
 * @param {string} [word] instead of the usual one
 */
export function verdictHtml (verdict, word = verdictWords[verdict]) {
  return html`<span class="word"><span aria-hidden="true">${marks[verdict]}</span> ${word}</span>`
}
