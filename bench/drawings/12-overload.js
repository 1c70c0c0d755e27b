import { arrow, box, row, text } from './svg.js'

export default {
  lesson: '12-overload',
  file: 'overload.svg',
  title: 'A queue without a bound, and one with a bound',
  alt: 'Twice as many requests arrive as can be served. Without a bound the queue grows for as long as that lasts, ' +
    'and everybody waits longer than the one before. With a bound the queue stays short: who comes in is served ' +
    'soon, and everybody else gets a 503 at once.',
  height: 320,
  pieces: [
    text(12, 20, 'Without a bound', { isBold: true }),
    arrow([[8, 44], [34, 44]], { tone: 'red' }),
    arrow([[8, 54], [34, 54]], { tone: 'red' }),
    row(40, 36, 15, { tone: 'red' }),
    row(40, 52, 15, { tone: 'red' }),
    arrow([[252, 49], [272, 49]]),
    box(274, 34, 74, 30, 'server', { tone: 'blue' }),
    text(12, 88, [
      '2 come while 1 is served: the line grows without',
      'end. In the end nobody is served in time.'
    ], { isSmall: true }),
    text(12, 150, 'With a bound', { isBold: true }),
    arrow([[8, 174], [34, 174]], { tone: 'green' }),
    row(40, 168, 4, { tone: 'green' }),
    box(36, 162, 62, 24, [], { isDashed: true }),
    arrow([[102, 174], [272, 174]]),
    box(274, 159, 74, 30, 'server', { tone: 'blue' }),
    arrow([[8, 196], [24, 196], [24, 222], [60, 222]], { tone: 'red' }),
    box(62, 208, 190, 28, '503, Retry-After, at once', { tone: 'red' }),
    text(12, 262, ['Half are served, and soon. The others know at once,', 'for a small price.'], { isSmall: true }),
    text(12, 306, 'Waiting time = places in the line ÷ rate of service')
  ]
}
