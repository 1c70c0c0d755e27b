import { row, text } from './svg.js'

/** @type {Parameters<typeof text>[3]} */
const look = { tone: 'soft', isSmall: true }
const requests = [1, 2, 3, 4, 5, 6, 7, 8]

export default {
  lesson: '02-leaking-listeners',
  file: 'listeners.svg',
  title: 'Request number k runs k listeners',
  alt: 'One row for each request: the first runs one listener, the second two, the eighth eight. Together the rows ' +
    'make a triangle of 36 runs.',
  height: 232,
  pieces: [
    text(12, 20, 'request', { isBold: true }),
    text(90, 20, 'listeners that run after its answer', { isBold: true }),
    ...requests.flatMap((k) => [
      text(60, 22 + k * 22, String(k), { anchor: 'end' }),
      row(90, 12 + k * 22, k - 1, { tone: 'red' }),
      row(90 + (k - 1) * 14, 12 + k * 22, 1, { tone: 'amber' })
    ]),
    text(220, 54, ['the last in each row', 'is the one that this', 'request has added'], look),
    text(12, 221, 'After 8 requests: 1 + 2 + … + 8 = 36 runs')
  ]
}
