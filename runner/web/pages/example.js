import { html } from '../../report/index.js'
import { formatRatio, marks } from '../../report/browser.js'

/** @import { Example } from '../page-data.js' */

const width = 480
const height = 40

/** What a fix is worth, as a picture: two bars, as long as their figures. @param {Example} example */
export function exampleHtml ({ lesson, gate, slow, solution, ratio, where }) {
  const longest = Math.max(parseFloat(slow), parseFloat(solution))
  const faster = formatRatio({ ratio, ratioUnit: '×', target: null }, marks)
  return html`<figure class="example"><figcaption><strong>${lesson}</strong>: ${gate}</figcaption>
<svg viewBox="0 0 ${width} 172" role="img" aria-label="${slow} before, ${solution} after: ${faster}">
${barSvg('slow server', slow, 0, parseFloat(slow) / longest)}
${barSvg('fixed', solution, 86, parseFloat(solution) / longest)}</svg>
<p><strong class="best">${faster}</strong> <span class="soft">with the reference solution, as the
project measured it: ${where}.</span></p>
</figure>`
}

/** @param {string} name @param {string} figure @param {number} top @param {number} share of the width */
function barSvg (name, figure, top, share) {
  const length = Math.max(3, share * width)
  const isLong = length > width * 0.7
  const [x, anchor] = isLong ? [length - 12, 'end'] : [length + 10, 'start']
  const word = top === 0 ? 'slow' : 'yours'
  return html`<text class="soft" x="0" y="${top + 20}">${name}</text>
<rect class="${word}" x="0" y="${top + 32}" width="${length.toFixed(1)}" height="${height}" rx="4"/>
<text class="figure${isLong ? ' inside' : ''}" x="${x.toFixed(1)}" y="${top + 60}" text-anchor="${anchor}">${
  figure}</text>`
}
