import { box, text, timeAxis } from './svg.js'

const ms = 4.2
const left = 126
/** @type {[string, number, number, number][]} name, length, start before, start after; ms */
const calls = [
  ['users', 5, 0, 0],
  ['carts', 5, 6, 6],
  ['recommendations', 9, 12, 6],
  ['prices', 9, 22, 12],
  ['stock', 9, 32, 12],
  ['reviews', 9, 42, 12]
]

/** @param {number} top @param {2 | 3} start @param {import('./svg.js').Tone} tone */
const chart = (top, start, tone) => calls.flatMap((call, at) => [
  text(left - 6, top + 13 + at * 20, call[0], { anchor: 'end', isSmall: true }),
  box(left + call[start] * ms, top + at * 20, call[1] * ms, 15, [], { tone: at < 2 ? 'blue' : tone })
])

export default {
  lesson: '14-waterfall',
  file: 'waterfall.svg',
  title: 'Calls one after the other, and calls that wait for what they need',
  alt: 'Two waterfalls of the same six calls. Above each call waits for the one before it. Below each call starts as ' +
    'soon as it has what it needs: carts and recommendations after users, and prices, stock and reviews together ' +
    'after carts. The page is there in less than half the time.',
  height: 352,
  pieces: [
    text(12, 20, 'One after the other', { isBold: true }),
    ...chart(30, 2, 'red'),
    timeAxis(left, 156, 222),
    text(12, 194, 'Each as soon as it has what it needs', { isBold: true }),
    ...chart(204, 3, 'green'),
    timeAxis(left, 330, 222)
  ]
}
