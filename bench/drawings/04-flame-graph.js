import { arrow, box, text } from './svg.js'

export default {
  lesson: '04-regex-in-loop',
  file: 'flame-graph.svg',
  title: 'How to read a flame graph',
  alt: 'A flame graph of five rows. Width is the share of the time, a bar is on top of its caller. The widest bar ' +
    'with nothing on it, decode, is where to begin; walk down from it to parse, which is yours. A tall narrow tower ' +
    'matters little.',
  height: 306,
  pieces: [
    text(12, 20, ['1. The widest bar with nothing on it:', 'here the time goes. Begin here.'], { isSmall: true }),
    arrow([[90, 42], [90, 108]], { tone: 'red' }),
    text(348, 52, ['a tall tower is only', 'deep, not expensive'], { isSmall: true, anchor: 'end', tone: 'soft' }),
    arrow([[310, 74], [310, 82]]),
    box(300, 84, 20, 24, [], { tone: 'ink' }),
    box(300, 110, 20, 24, [], { tone: 'ink' }),
    box(12, 110, 170, 24, 'decode (native)', { tone: 'red' }),
    box(12, 136, 210, 24, 'parse (yours)', { tone: 'amber' }),
    box(224, 136, 70, 24, 'render', { tone: 'amber' }),
    box(300, 136, 30, 24, 'log', { tone: 'ink', isSmall: true }),
    box(12, 162, 336, 24, 'handler (yours)', { tone: 'amber' }),
    box(12, 188, 336, 24, 'the event loop (Node.js)', { tone: 'ink' }),
    arrow([[30, 122], [30, 146]], { tone: 'red' }),
    text(12, 236, [
      '2. Walk down: a bar stands on its caller. The first',
      'bar of yours is where you can change something.'
    ], { isSmall: true }),
    arrow([[180, 280], [12, 280]]),
    arrow([[180, 280], [348, 280]]),
    text(180, 296, '3. Width is the share of the time', { isSmall: true, anchor: 'middle' })
  ]
}
