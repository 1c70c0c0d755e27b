import { drawChart } from './charts.js'
import { figureHtml, figuresOf } from './live/chart-figures.js'

/**
 * Shows what was measured: figures that are there move on, new ones come where they belong.
 *
 * @param {HTMLElement} place nothing but figures
 * @param {import('./live/chart-figures.js').Measured} measured
 */
export function showFigures (place, measured) {
  figuresOf(measured).forEach((figure, at) => {
    const known = [...place.children].find(({ dataset }) => dataset.figure === `${figure.kind} ${figure.name}`)
    const element = known ?? insert(place, figure, at)
    if (known) update(element, figure)
    drawChart(element.querySelector('.chart'), figure.kind, figure.values)
  })
}

function insert (place, figure, at) {
  const template = document.createElement('template')
  template.innerHTML = figureHtml(figure)
  return place.insertBefore(template.content.firstElementChild, place.children[at] ?? null)
}

function update (element, { caption, table }) {
  const [captionPlace, details] = [element.querySelector('figcaption'), element.querySelector('details')]
  captionPlace.innerHTML = caption
  // Who reads the table reads on.
  if (!details.contains(document.activeElement)) details.lastElementChild.innerHTML = table
}
