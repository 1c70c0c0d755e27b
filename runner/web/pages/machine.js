import { html } from '../../report/index.js'
import { marks } from '../../report/browser.js'

/** @import { Fitness } from '../doctor.js' */

/** Slower than this, and checks take noticeably longer. */
const slowPace = 1.5

/** Is this machine fit to measure, in few words? It leads to what else is known of it. @param {Fitness} fitness */
export function chipHtml (fitness) {
  const [tone, words] = sayFitness(fitness)
  return html`<a class="machine ${tone}" href="/#machine"><span class="hidden">This machine: </span>${
    tone === '' ? '' : html`<span aria-hidden="true">${marks[tone]}</span> `}${words}</a>`
}

/** @param {Fitness} fitness @returns {['' | 'pass' | 'fail' | 'inconclusive', string]} */
function sayFitness ({ isBusy, findings, message, cores, pace }) {
  const has = (/** @type {string} */ state) => findings.some((finding) => finding.state === state)
  if (message !== '' && !isBusy && findings.length > 0) {
    if (has('bad')) return ['fail', 'can’t measure']
    return has('doubt') ? ['inconclusive', 'fit to measure, with doubts'] : ['pass', 'fit to measure']
  }
  const count = `${cores} ${cores === 1 ? 'core' : 'cores'}`
  if (pace < slowPace) return [cores === 1 ? 'inconclusive' : '', count]
  return ['inconclusive', `${count}, slow: checks take longer`]
}
