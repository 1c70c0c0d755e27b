import { allOf, show } from '../../http/browser.js'
import { drawChart } from './charts.js'
import { figureHtml, figuresOf } from './live/chart-figures.js'

/**
 * Shows what was measured: figures that are there move on, new ones come where they belong.
 *
 * @import { Figure } from './live/figure.js'
 *
 * @param {HTMLElement} place nothing but figures
 * @param {import('./live/chart-figures.js').Measured} measured
 */
export function showFigures (place, measured) {
  for (const [at, figure] of figuresOf(measured).entries()) {
    const known = allOf('figure', place).find(({ dataset }) => dataset.figure === `${figure.kind} ${figure.name}`)
    if (known) update(known, figure)
    else insert(place, figure, at)
    for (const chart of allOf('.chart', known ?? allOf('figure', place)[at])) drawChart(chart, figure)
  }
}

/** @param {HTMLElement} place @param {Figure} figure @param {number} at */
function insert (place, figure, at) {
  const template = document.createElement('template')
  template.innerHTML = String(figureHtml(figure))
  place.insertBefore(template.content, place.children[at] ?? null)
}

/** @param {HTMLElement} element @param {Figure} figure */
function update (element, { caption, table }) {
  for (const place of allOf('figcaption', element)) show(place, caption)
  // Where the focus is in a table, it stays as it is.
  for (const place of allOf('details > div', element)) if (!place.contains(document.activeElement)) show(place, table)
}
