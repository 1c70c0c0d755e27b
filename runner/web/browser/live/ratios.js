import { formatInterval, formatRatio, formatTarget, html, marks } from '../../../report/browser.js'
import { tableHtml } from './table.js'

/**
 * @import { GateResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 */

/**
 * How the ratio of each gate closed in on its target, or moved away from it.
 *
 * @param {readonly GateResult[]} gates
 * @returns {Figure[]} of those that have moved
 */
export function ratioFigures (gates) {
  return gates.filter(({ course = [], target }) => course.length > 1 && target !== null).map((gate) => {
    const { name, target, course = [] } = gate
    return {
      kind: 'ratio',
      name,
      caption: html`<span>Ratio of <strong>${name}</strong> after each round, with its 95 % interval;
dotted: the target, ${formatTarget(gate, marks)}</span>`,
      summary: `The ratio of ${name} as a table`,
      table: tableHtml('Ratio after each round', ['after round', 'ratio', '95 %'], course.map(({ round, ...point }) =>
        [round, formatRatio({ ...gate, ...point }, marks), formatInterval({ ...gate, ...point }, marks)])),
      values: course.map((point) => ({ ...point, target }))
    }
  })
}
