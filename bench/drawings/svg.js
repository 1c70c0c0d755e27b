import { escapeHtml } from '../../runner/report/index.js'
import { dark, light } from '../tour/palette.js'

/**
 * The few shapes of which all drawings are made, as SVG. Pure. Lengths are those of a drawing `width` wide, which is
 * about a phone's: text of `small` is then 11 px or more.
 *
 * @import { Palette } from '../tour/palette.js'
 *
 * @typedef {'ink' | 'soft' | 'red' | 'green' | 'blue' | 'amber'} Tone each has a meaning in words next to it
 * @typedef {[x: number, y: number]} Point
 */

export const width = 360
/** Sizes of text. */
export const [usual, small] = [13, 12.5]
/** As a file it is drawn larger: text next to it has 16 px. */
const scale = 1.3

/** Places in a terminal's palette. */
const tones = { red: 1, green: 2, blue: 4, amber: 3 }

/**
 * A whole file.
 *
 * @param {object} drawing
 * @param {string} drawing.title
 * @param {string} drawing.alt for who cannot see it
 * @param {number} drawing.height
 * @param {string[]} drawing.pieces
 * @param {string[]} [drawing.styles] further CSS
 * @returns {string}
 */
export function svgFile ({ title, alt, height, pieces, styles = [] }) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * scale}" ` +
      `height="${round(height * scale)}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeHtml(title)}</title>`,
    `<desc id="desc">${escapeHtml(alt)}</desc>`,
    '<style>',
    `:root{${colours(light)}}`,
    `@media (prefers-color-scheme:dark){:root{${colours(dark)}}}`,
    `text{font:${usual}px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--ink)}`,
    `.small{font-size:${small}px}.bold{font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}`,
    '.box{fill-opacity:.14;stroke-width:1.25}.line{fill:none;stroke-width:1.5}.dashed{stroke-dasharray:4 3}',
    ...['ink', 'soft', ...Object.keys(tones)].map((tone) =>
      `.box.${tone}{fill:var(--${tone});stroke:var(--${tone})}.line.${tone}{stroke:var(--${tone})}` +
      `.head.${tone},text.${tone}{fill:var(--${tone})}`),
    ...styles,
    '</style>',
    `<rect width="${width}" height="${height}" fill="var(--paper)"/>`,
    ...pieces,
    '</svg>',
    ''
  ].join('\n')
}

/** @param {Palette} palette */
function colours ({ paper, ink, colours }) {
  const named = Object.entries(tones).map(([tone, place]) => `--${tone}:${colours[place]}`)
  return [`--paper:${paper}`, `--ink:${ink}`, `--soft:${colours[7]}`, ...named].join(';')
}

/**
 * @param {number} x
 * @param {number} y of the first line's foot
 * @param {string | string[]} lines
 * @param {{ anchor?: 'start' | 'middle' | 'end', tone?: Tone, isSmall?: boolean, isBold?: boolean }} [look]
 */
export function text (x, y, lines, { anchor = 'start', tone = 'ink', isSmall = false, isBold = false } = {}) {
  const names = [anchor === 'start' ? '' : anchor, tone === 'ink' ? '' : tone, isSmall && 'small', isBold && 'bold']
  const name = names.filter(Boolean).join(' ')
  return [lines].flat().map((line, at) =>
    `<text${name && ` class="${name}"`} x="${round(x)}" y="${round(y + at * 16)}">${escapeHtml(line)}</text>`).join('')
}

/**
 * A box with its label in the middle.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {string | string[]} [label] lines
 * @param {{ tone?: Tone, isDashed?: boolean, isSmall?: boolean, isBold?: boolean }} [look]
 */
export function box (x, y, w, h, label = [], { tone = 'ink', isDashed = false, ...look } = {}) {
  const lines = [label].flat()
  const foot = y + h / 2 + 4.5 - (lines.length - 1) * 8
  return `<rect class="box ${tone}${isDashed ? ' dashed' : ''}" x="${round(x)}" y="${round(y)}" width="${round(w)}" ` +
    `height="${round(h)}" rx="3"/>${text(x + w / 2, foot, lines, { anchor: 'middle', ...look })}`
}

/**
 * A line through points, with a head at its end.
 *
 * @param {Point[]} points two at least
 * @param {{ tone?: Tone, isDashed?: boolean, hasHead?: boolean }} [look]
 */
export function arrow (points, { tone = 'soft', isDashed = false, hasHead = true } = {}) {
  const way = points.map((at) => at.map(round)).join('L')
  const path = `<path class="line ${tone}${isDashed ? ' dashed' : ''}" d="M${way}"/>`
  if (!hasHead) return path
  const [[fromX, fromY], [x, y]] = [points[points.length - 2], points[points.length - 1]]
  const angle = Math.atan2(y - fromY, x - fromX)
  const corner = (/** @type {number} */ turn) =>
    [round(x - 8 * Math.cos(angle + turn)), round(y - 8 * Math.sin(angle + turn))]
  return `${path}<path class="head ${tone}" d="M${round(x)},${round(y)}L${corner(0.45)}L${corner(-0.45)}Z"/>`
}

/**
 * Small boxes in a row: a queue, or repeated work.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} count
 * @param {{ tone?: Tone, size?: number, gap?: number }} [look]
 */
export function row (x, y, count, { tone = 'ink', size = 11, gap = 3 } = {}) {
  return Array.from({ length: count }, (_, at) => box(x + at * (size + gap), y, size, size, [], { tone })).join('')
}

/**
 * A number in a circle, which the text around the drawing explains.
 *
 * @param {number} x
 * @param {number} y of its middle
 * @param {number} number
 */
export function numberAt (x, y, number) {
  return `<circle class="box blue" cx="${round(x)}" cy="${round(y)}" r="8.5"/>` +
    text(x, y + 4.3, String(number), { anchor: 'middle', isSmall: true, isBold: true })
}

/**
 * An axis of time.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} w
 */
export function timeAxis (x, y, w) {
  return arrow([[x, y], [x + w, y]]) + text(x + w, y + 15, 'time', { anchor: 'end', tone: 'soft', isSmall: true })
}

/** @param {number} value */
function round (value) {
  return Number(value.toFixed(1))
}
