/** The colours of a terminal, in a light and in a dark page. All of the first sixteen can be read on the background. */

/**
 * @typedef {object} Palette
 * @property {string} paper the background
 * @property {string} ink the usual text
 * @property {string[]} colours the first sixteen
 */

/** @type {Palette} */
export const light = {
  paper: '#ffffff',
  ink: '#1f2328',
  colours: [
    ...['#1f2328', '#c01c28', '#116329', '#7d4e00', '#0550ae', '#7a3fd1', '#0b6570', '#57606a'],
    ...['#4b535d', '#a40e26', '#1a7235', '#633c01', '#0a5bc4', '#6639ba', '#0b5f6b', '#24292f']
  ]
}

/** @type {Palette} */
export const dark = {
  paper: '#0d1117',
  ink: '#e6edf3',
  colours: [
    ...['#8b949e', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
    ...['#9aa4ae', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#ffffff']
  ]
}

/**
 * Colours 16 to 255 of xterm, the same everywhere: a cube of 6 × 6 × 6, then greys.
 *
 * @param {number} number
 * @returns {string} `#rrggbb`
 */
export function fixedColour (number) {
  const level = (/** @type {number} */ step) => step === 0 ? 0 : 55 + 40 * step
  const cube = number - 16
  const parts = number >= 232
    ? Array(3).fill(8 + 10 * (number - 232))
    : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level)
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
