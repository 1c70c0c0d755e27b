import { capabilitiesOf, wrapText } from '../report/index.js'

/** @import { Output } from './types.js' */

/**
 * Fits help to the window: a flag's explanation stays next to the flag where there is room.
 *
 * @param {string} text
 * @param {Output} output
 * @returns {string}
 */
export function fitHelp (text, output) {
  const { columns, uncut } = capabilitiesOf(output)
  return uncut ? text : text.split('\n').flatMap((line) => fitLine(line, columns)).join('\n')
}

/** @param {string} line @param {number} columns */
function fitLine (line, columns) {
  if (line.length <= columns) return [line]
  const [lead] = /^ *(?:\S+(?: \S+)* {2,})?/.exec(line) ?? ['']
  const rest = line.slice(lead.length)
  const isDeep = lead.length > columns / 2
  const indent = isDeep ? 6 : Math.max(lead.length, lead === '' ? 0 : 2)
  const lines = wrapText(rest, columns - indent).map((part) => ' '.repeat(indent) + part)
  if (isDeep) return lead.trim() === '' ? lines : [lead.trimEnd(), ...lines]
  return [lead + lines[0].slice(indent), ...lines.slice(1)]
}
