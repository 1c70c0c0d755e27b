/** The marks of the reports, which work without colour. */

export const unicodeMarks = {
  pass: '✓',
  fail: '✗',
  inconclusive: '?',
  error: '!',
  dropped: '–',
  'not measured': '–',
  warning: '!',
  current: '▸',
  pending: '·',
  dot: '·',
  none: '–',
  times: '×',
  ellipsis: '…',
  gutter: '│',
  atLeast: '≥',
  atMost: '≤',
  about: '≈',
  track: '─',
  interval: '━',
  ratio: '●',
  target: '│',
  spark: '▁▂▃▄▅▆▇█',
  blocks: '█▓░·'
}

/** @type {typeof unicodeMarks} */
export const asciiMarks = {
  pass: '+',
  fail: 'x',
  inconclusive: '?',
  error: '!',
  dropped: '-',
  'not measured': '-',
  warning: '!',
  current: '>',
  pending: '.',
  dot: '-',
  none: '-',
  times: 'x',
  ellipsis: '...',
  gutter: '|',
  atLeast: '>=',
  atMost: '<=',
  about: '~',
  track: '-',
  interval: '=',
  ratio: 'o',
  target: '|',
  spark: '_.:-=+*#',
  blocks: '#=~.'
}
