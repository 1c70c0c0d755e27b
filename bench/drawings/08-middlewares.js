import { arrow, box, text } from './svg.js'

const layers = ['middleware 1', 'middleware 2', 'middleware 3', 'middleware 4', '… and ten more']

export default {
  lesson: '08-framework',
  file: 'middlewares.svg',
  title: 'Each request goes through every layer',
  alt: 'A request goes down through a stack of fourteen middlewares to the route that builds the response. Each ' +
    'layer costs a little, for every request, whether its route needs it or not.',
  height: 272,
  pieces: [
    text(80, 20, 'request', { isBold: true, anchor: 'middle' }),
    arrow([[80, 26], [80, 40]]),
    ...layers.map((name, at) => box(12, 42 + at * 34, 150, 24, name, { tone: 'amber' })),
    ...layers.map((_, at) => arrow([[80, 66 + at * 34], [80, 75 + at * 34]])),
    box(12, 212, 150, 24, 'your route', { tone: 'green' }),
    arrow([[80, 236], [80, 250]]),
    text(80, 264, 'response', { isBold: true, anchor: 'middle' }),
    ...layers.map((_, at) => box(190, 42 + at * 34, [14, 40, 22, 30, 52][at], 24, [], { tone: 'amber' })),
    box(190, 212, 24, 24, [], { tone: 'green' }),
    text(190, 30, 'its own time', { isSmall: true, tone: 'soft' }),
    text(256, 84, [
      'no bar is wide,', 'so no function', 'stands out.', 'Remove one', 'at a time, and', 'measure.'
    ], { isSmall: true })
  ]
}
