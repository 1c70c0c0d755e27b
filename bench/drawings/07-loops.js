import { arrow, box, text, timeAxis } from './svg.js'

const due = Array.from({ length: 10 }, (_, at) => 20 + at * 32)
const [stall, back] = [84, 212]
/** When the response comes to a request that was due at x. @param {number} x */
const doneAt = (x) => x < stall || x >= back ? x + 10 : back + 10 + (x - stall) / 6

export default {
  lesson: '07-blind-benchmark',
  file: 'loops.svg',
  title: 'A freeze, as a closed and an open loop see it',
  alt: 'A server freezes. The closed loop waits for its one request in flight, and records one slow ' +
    'response of six. The open loop sends at every tick: four of its ten responses are slow, the earliest most.',
  height: 372,
  pieces: [
    text(12, 20, 'Closed loop: waits for a response, then sends', { isBold: true }),
    box(stall, 30, back - stall, 22, 'frozen', { tone: 'ink', isDashed: true, isSmall: true }),
    ...[20, 52, 84, 244, 276, 308].map((x) =>
      box(x, 60, (x === stall ? back + 10 : x + 10) - x, 16, [], { tone: x === stall ? 'red' : 'green' })),
    timeAxis(12, 88, 336),
    text(12, 103, '1 slow response of 6', { isSmall: true }),
    text(12, 142, 'Open loop: sends at every tick', { isBold: true }),
    box(stall, 152, back - stall, 22, 'frozen', { tone: 'ink', isDashed: true, isSmall: true }),
    ...due.map((x, at) =>
      box(x, 182 + (at % 5) * 20, doneAt(x) - x, 14, [], { tone: x >= stall && x < back ? 'red' : 'green' })),
    ...due.map((x) => arrow([[x, 288], [x, 294]], { hasHead: false })),
    timeAxis(12, 294, 336),
    text(12, 310, '4 slow responses of 10', { isSmall: true }),
    text(12, 342, [
      'Requests due while it was frozen had to wait. The', 'closed loop never sent them: coordinated omission.'
    ])
  ]
}
