/** The marks of the reports, which work without colour: in Unicode, and in ASCII. */
const both = {
  pass: '✓ +',
  fail: '✗ x',
  inconclusive: '? ?',
  error: '! !',
  dropped: '– -',
  'not measured': '– -',
  warning: '! !',
  current: '▸ >',
  pending: '· .',
  dot: '· -',
  none: '– -',
  times: '× x',
  ellipsis: '… ...',
  gutter: '│ |',
  atLeast: '≥ >=',
  atMost: '≤ <=',
  about: '≈ ~',
  track: '─ -',
  interval: '━ =',
  ratio: '● o',
  target: '│ |',
  spark: '▁▂▃▄▅▆▇█ _.:-=+*#',
  blocks: '█▓░· #=~.'
}

export const [unicodeMarks, asciiMarks] = [0, 1].map((which) => /** @type {typeof both} */ (
  Object.fromEntries(Object.entries(both).map(([name, marks]) => [name, marks.split(' ')[which]]))))
