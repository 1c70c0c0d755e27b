import { arrow, box, row, text } from './svg.js'

export default {
  lesson: '12-overload',
  file: 'overload.svg',
  title: 'A queue without a bound, and one with a bound',
  alt: 'Twice as many requests arrive as can be served. Without a bound the queue grows for as long as that lasts, ' +
    'and each client waits longer than the one before. With a bound the queue stays short: accepted requests are ' +
    'served soon, and all others get a 503 at once. An order can wait in the kernel, in its socket or in an array ' +
    'of yours, and your code can count only the last of these.',
  height: 392,
  pieces: [
    text(12, 20, 'Without a bound', { isBold: true }),
    arrow([[8, 44], [34, 44]], { tone: 'red' }),
    arrow([[8, 54], [34, 54]], { tone: 'red' }),
    row(40, 36, 15, { tone: 'red' }),
    row(40, 52, 15, { tone: 'red' }),
    arrow([[252, 49], [272, 49]]),
    box(274, 34, 74, 30, 'server', { tone: 'blue' }),
    text(12, 88, [
      '2 come while 1 is served: the queue keeps growing.',
      'In the end, none is served in time.'
    ], { isSmall: true }),
    text(12, 150, 'With a bound', { isBold: true }),
    arrow([[8, 174], [34, 174]], { tone: 'green' }),
    row(40, 168, 4, { tone: 'green' }),
    box(36, 162, 62, 24, [], { isDashed: true }),
    arrow([[102, 174], [272, 174]]),
    box(274, 159, 74, 30, 'server', { tone: 'blue' }),
    arrow([[8, 196], [24, 196], [24, 222], [60, 222]], { tone: 'red' }),
    box(62, 208, 190, 28, '503, Retry-After, at once', { tone: 'red' }),
    text(12, 262, ['Half are served, and soon. The others know at once,', 'at a small cost.'], { isSmall: true }),
    text(12, 300, 'Wait = places in the queue ÷ rate of service', { isSmall: true }),
    text(12, 330, 'Where an order can wait', { isBold: true }),
    box(12, 340, 100, 40, ['kernel:', 'not accepted'], { tone: 'red', isSmall: true }),
    arrow([[112, 360], [128, 360]]),
    box(130, 340, 100, 40, ['socket:', 'unread bytes'], { tone: 'amber', isSmall: true }),
    arrow([[230, 360], [246, 360]]),
    box(248, 340, 100, 40, ['your array:', 'counted'], { tone: 'green', isSmall: true })
  ]
}
