import { escapeHtml } from '../../runner/report/index.js'
import { text, width } from '../drawings/svg.js'

/**
 * A CPU profile as a small flame graph that needs no browser to be drawn. Pure.
 *
 * @import { Frame } from '../../runner/inside/index.js'
 *
 * @typedef {object} Bar
 * @property {number} x
 * @property {number} w
 * @property {number} depth 0: at the bottom
 * @property {string} owner
 * @property {string} label
 */

const margin = 12
const inner = width - 2 * margin
const [rowHeight, most] = [17, 340]
const leastWidth = 1
const letter = 6.4
/** Of the legend. */
const columns = [12, 116, 266]
/** The colours of the profile's page, in light and dark. */
const owners = /** @type {const} */ ({
  yours: ['#6cb6ff', 'your files'],
  package: ['#d9c9a3', 'packages'],
  node: ['#b9d3c2', 'Node.js'],
  native: ['#c3c8ce', 'native code'],
  gc: ['#d9bfe8', 'garbage collection'],
  idle: ['#e4e7eb', 'idle']
})

export const flameStyles = [
  ...Object.entries(owners).map(([owner, [colour]]) => `.${owner}{fill:${colour}}`),
  '.bar{font-size:11.5px;fill:#111}'
]

/**
 * @param {Frame} root of a merged profile
 * @param {{ nameOf: (frame: Frame) => string, folds: boolean }} look folds: neighbours that aren't yours, and take the
 *   same time, are one bar
 * @returns {{ height: number, pieces: string[] }}
 */
export function flamePieces (root, { nameOf, folds }) {
  const bars = layOut(root, { nameOf, folds })
  const depth = Math.max(...bars.map(({ depth }) => depth)) + 1
  const row = Math.min(rowHeight, most / depth)
  const foot = depth * row + margin
  const yOf = (/** @type {Bar} */ bar) => foot - (bar.depth + 1) * row
  const shapes = Object.keys(owners).map((owner) => {
    const own = bars.filter((bar) => bar.owner === owner).map((bar) => {
      const w = round(bar.w - 0.5)
      return `M${round(bar.x)},${round(yOf(bar))}h${w}v${round(row - 0.6)}h-${w}z`
    })
    return own.length === 0 ? '' : `<path class="${owner}" d="${own.join('')}"/>`
  })
  const labels = row < rowHeight ? [] : bars.map((bar) => labelOf(bar, yOf(bar) + 12.5))
  return {
    height: Math.ceil(foot + 44 + margin),
    pieces: [...shapes, ...labels, ...legend(foot + 16)].filter(Boolean)
  }
}

/** @param {Frame} root @param {{ nameOf: (frame: Frame) => string, folds: boolean }} look @returns {Bar[]} */
function layOut (root, { nameOf, folds }) {
  const scale = inner / root.totalMs
  /** @type {Bar[]} */
  const bars = []
  const place = (/** @type {Frame} */ frame, /** @type {number} */ x, /** @type {number} */ depth) => {
    const w = frame.totalMs * scale
    if (w < leastWidth) return
    const chain = folds ? chainFrom(frame) : [frame]
    const isOne = chain.length < 3
    const [last, owner] = isOne ? [frame, frame.owner] : [chain[chain.length - 1], ownerOf(chain)]
    bars.push({ x, w, depth, owner, label: isOne ? nameOf(frame) : `… ${chain.length} functions` })
    placeAll(last.children, x, depth + 1)
  }
  const placeAll = (/** @type {Frame[]} */ frames, /** @type {number} */ x, /** @type {number} */ depth) => {
    for (const frame of inOrder(frames)) {
      place(frame, x, depth)
      x += frame.totalMs * scale
    }
  }
  placeAll(root.children, margin, 0)
  return bars
}

/** The widest first; what isn't code comes last. @param {Frame[]} frames */
function inOrder (frames) {
  const rank = (/** @type {Frame} */ { owner }) => ['gc', 'idle'].indexOf(owner)
  return [...frames].sort((a, b) => rank(a) - rank(b) || b.totalMs - a.totalMs)
}

/** @param {Frame} frame @returns {Frame[]} it, and those on it that are as wide and aren't yours either */
function chainFrom (frame) {
  const chain = []
  for (let one = /** @type {Frame | undefined} */ (frame); one && ['package', 'node'].includes(one.owner);) {
    chain.push(one)
    const { children, totalMs } = one
    one = children.find((child) => child.totalMs >= 0.95 * totalMs)
  }
  return chain
}

/** @param {Frame[]} chain */
function ownerOf (chain) {
  return chain.some(({ owner }) => owner === 'package') ? 'package' : 'node'
}

/** @param {Bar} bar @param {number} y */
function labelOf ({ x, w, label }, y) {
  const fitting = Math.floor((w - 6) / letter)
  if (fitting < 4) return ''
  const shown = label.length > fitting ? `${label.slice(0, fitting - 1)}…` : label
  return `<text class="bar" x="${round(x + 3)}" y="${round(y)}">${escapeHtml(shown)}</text>`
}

/** What the colours mean, in two lines. @param {number} y @returns {string[]} */
function legend (y) {
  return Object.entries(owners).map(([owner, [, words]], at) => {
    const [x, foot] = [columns[at % 3], y + Math.floor(at / 3) * 20]
    return `<rect class="${owner}" x="${x}" y="${foot - 10}" width="11" height="11" rx="2"/>` +
      text(x + 16, foot, words, { isSmall: true })
  })
}

/** @param {number} value */
function round (value) {
  return Number(value.toFixed(1))
}
