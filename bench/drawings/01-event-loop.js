import { arrow, box, row, text, timeAxis } from './svg.js'

const phases = ['timers', 'poll: I/O', 'check', 'close']
const loop = phases.flatMap((name, at) => [
  box(225, 30 + at * 38, 90, 26, name, { tone: name.startsWith('poll') ? 'blue' : 'ink' }),
  at === 0 ? '' : arrow([[270, 18 + at * 38], [270, 29 + at * 38]])
])

export default {
  lesson: '01-sync-login',
  file: 'event-loop.svg',
  title: 'The event loop, and what a login does to it',
  alt: 'The event loop\'s phases. Below, over time: four logins run one after the other, and a health check that ' +
    'arrived during the first one runs only after the last.',
  height: 345,
  pieces: [
    text(12, 20, 'In the kernel', { isBold: true }),
    text(12, 50, 'new connections (backlog)', { isSmall: true }),
    row(12, 58, 5),
    text(12, 94, 'requests that arrived', { isSmall: true }),
    row(12, 102, 8),
    arrow([[130, 81], [224, 81]], { tone: 'blue' }),
    text(270, 20, 'One turn of the loop', { isBold: true, anchor: 'middle' }),
    ...loop,
    arrow([[315, 157], [340, 157], [340, 43], [316, 43]]),
    text(12, 146, ['Between two callbacks:', 'nextTick, then promises'], { isSmall: true, tone: 'soft' }),
    text(12, 210, 'The main thread, when four logins lie ready', { isBold: true }),
    ...[0, 1, 2, 3].map((at) => box(12 + at * 58, 222, 56, 30, 'login', { tone: 'red' })),
    box(244, 222, 42, 30, 'timer', { tone: 'green', isSmall: true }),
    box(288, 222, 60, 30, '/healthz', { tone: 'green', isSmall: true }),
    arrow([[40, 286], [40, 256]], { tone: 'green' }),
    text(12, 300, 'both are due here …', { isSmall: true }),
    arrow([[266, 286], [266, 256]], { tone: 'green' }),
    text(348, 300, '… and run here, at the earliest', { isSmall: true, anchor: 'end' }),
    timeAxis(12, 318, 336)
  ]
}
