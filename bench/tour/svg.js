import { dark, fixedColour, light } from './palette.js'

/**
 * @import { Picture } from '../../test/terminal/screen.js'
 * @import { Piece } from '../../test/terminal/styled.js'
 * @import { Palette } from './palette.js'
 * @import { Film } from './shorten.js'
 */

/** Of one cell, in px; most fonts of one width are 0.6 as wide as they are high. */
const cell = { width: 8.4, height: 19, font: 14, baseline: 14 }
const margin = 14
const captionHeight = 26

/**
 * One animated picture of a film of a terminal, without a script or an embedded font: all distinct frames below each
 * other, and a window that jumps from one to the next. With reduced motion, only the last frame shows. Pure.
 *
 * @param {Film} film
 * @param {object} about
 * @param {number} about.columns
 * @param {number} about.rows
 * @param {string} about.title
 * @param {string} about.description for who cannot see it
 * @param {string} about.caption a line below the window
 * @returns {string} an SVG file
 */
export function filmSvg ({ frames, endMs }, { columns, rows, title, description, caption }) {
  /** @type {Map<string, number>} */
  const numbers = new Map()
  const strip = numbered(frames.map(({ picture }) => frameSvg(picture, (row) => numberOf(row, numbers))))
  const [width, height] = [round(columns * cell.width), rows * cell.height]
  const [outerWidth, windowHeight] = [round(width + 2 * margin), height + 2 * margin]
  const yOf = (/** @type {number} */ at) => -strip.at[at] * height
  const stops = frames.map(({ atMs }, at) =>
    `${round(atMs / endMs * 100, 3)}%{transform:translateY(${yOf(at)}px)}`)
  const last = yOf(frames.length - 1)

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${outerWidth} ${windowHeight + captionHeight}" ` +
      `width="${outerWidth}" height="${windowHeight + captionHeight}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="desc">${escape(description)}</desc>`,
    '<style>',
    colours(light),
    `@media (prefers-color-scheme:dark){${colours(dark)}}`,
    `text{font:${cell.font}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;` +
      'white-space:pre;direction:ltr;unicode-bidi:bidi-override}',
    '.frame{fill:var(--paper);stroke:var(--ink);stroke-opacity:.25}.paper{fill:var(--paper)}.ink{fill:var(--ink)}',
    Array.from(light.colours, (_, number) => `.c${number}{fill:var(--c${number})}`).join(''),
    '.bold{font-weight:700}.dim{fill-opacity:.72}.italic{font-style:italic}.underline{text-decoration:underline}',
    '.cursor{fill-opacity:.55}.caption{font-size:12px;fill:var(--c7)}',
    `.film{fill:var(--ink);animation:film ${round(endMs / 1000, 2)}s step-end infinite}`,
    `@keyframes film{${stops.join('')}100%{transform:translateY(${last}px)}}`,
    '@media (prefers-reduced-motion:reduce){.film{animation:none}}',
    '</style>',
    `<defs>${[...numbers].map(([row, number]) => `<g id="r${number}">${row}</g>`).join('\n')}</defs>`,
    `<rect class="frame" x=".5" y=".5" width="${outerWidth - 1}" height="${windowHeight + captionHeight - 1}" rx="8"/>`,
    `<svg x="${margin}" y="${margin}" width="${width}" height="${height}">`,
    // Viewers without animations find it here, too.
    `<g class="film" transform="translate(0 ${last})">`,
    ...strip.distinct.map((frame, at) => `<g transform="translate(0 ${at * height})">${frame}</g>`),
    '</g></svg>',
    `<text class="caption" x="${margin}" y="${windowHeight + captionHeight - 12}">${escape(caption)}</text>`,
    '</svg>',
    ''
  ].join('\n')
}

/**
 * Each distinct text once, in the order of their coming.
 *
 * @param {string[]} texts
 * @returns {{ distinct: string[], at: number[] }} at: for each text its place among the distinct ones
 */
function numbered (texts) {
  /** @type {Map<string, number>} */
  const numbers = new Map()
  const at = texts.map((text) => numberOf(text, numbers))
  return { distinct: [...numbers.keys()], at }
}

/** @param {string} text @param {Map<string, number>} numbers gets what it does not know */
function numberOf (text, numbers) {
  const known = numbers.get(text) ?? numbers.size
  numbers.set(text, known)
  return known
}

/** @param {Picture} picture @param {(row: string) => number} numberOfRow */
function frameSvg ({ rows, cursor }, numberOfRow) {
  const uses = rows.map((row, at) =>
    row.length === 0 ? '' : `<use href="#r${numberOfRow(rowSvg(row))}" y="${at * cell.height}"/>`)
  return uses.join('') + (cursor === null ? '' : box('cursor', { x: cursor.x, columns: 1, y: cursor.y * cell.height }))
}

/** @param {Piece[]} row */
function rowSvg (row) {
  const papers = row.map(({ x, columns, style }) => {
    const paper = style.inverse ? style.foreground ?? 'ink' : style.background
    return paper === undefined ? '' : box(paper, { x, columns })
  })
  return `${papers.join('')}<text y="${cell.baseline}">${row.map(pieceSvg).join('')}</text>`
}

/** @param {number | string} colour @param {{ x: number, columns: number, y?: number }} place in columns and px */
function box (colour, { x, columns, y = 0 }) {
  const place = `x="${round(x * cell.width)}" ${y === 0 ? '' : `y="${y}" `}width="${round(columns * cell.width)}"`
  return `<rect ${place} height="${cell.height}"${fill(colour)}/>`
}

/** @param {Piece} piece */
function pieceSvg ({ x, columns, text, style }) {
  const { foreground, background, inverse } = style
  const ink = inverse ? background ?? 'paper' : foreground
  const looks = /** @type {const} */ (['bold', 'dim', 'italic', 'underline']).filter((name) => style[name])
  // A blank is one column wide, whatever is next to it.
  const shown = style.underline ? text : text.trim()
  if (shown === '') return ''
  const at = x + (style.underline ? 0 : text.length - text.trimStart().length)
  const length = columns - (text.length - shown.length)
  // Columns stay straight in any font.
  const stretch = length > 1 ? ` textLength="${round(length * cell.width)}" lengthAdjust="spacingAndGlyphs"` : ''
  return `<tspan x="${round(at * cell.width)}"${stretch}${fill(ink, looks)}>${escape(shown)}</tspan>`
}

/** @param {number | string} [colour] number, `#rrggbb` or the name of a class @param {string[]} [classes] */
function fill (colour, classes = []) {
  const isFixed = typeof colour === 'number' ? colour > 15 : colour?.startsWith('#')
  const fixed = typeof colour === 'number' ? fixedColour(colour) : colour
  const own = isFixed || colour === undefined ? [] : [typeof colour === 'number' ? `c${colour}` : colour]
  const all = [...own, ...classes]
  return `${isFixed ? ` fill="${fixed}"` : ''}${all.length > 0 ? ` class="${all.join(' ')}"` : ''}`
}

/** @param {Palette} palette */
function colours ({ paper, ink, colours }) {
  return `:root{--paper:${paper};--ink:${ink};${colours.map((colour, at) => `--c${at}:${colour}`).join(';')}}`
}

/** XML allows no control characters at all. @param {string} text */
function escape (text) {
  return text
    .replace(/[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** @param {number} value @param {number} [digits] */
function round (value, digits = 1) {
  return Number(value.toFixed(digits))
}
