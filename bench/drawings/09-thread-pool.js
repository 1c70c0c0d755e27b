import { arrow, box, text } from './svg.js'

/** @type {[string, import('./svg.js').Tone][]} */
const waiting = [['file', 'green'], ['hash', 'red'], ['hash', 'red'], ['hash', 'red']]

export default {
  lesson: '09-thread-pool',
  file: 'thread-pool.svg',
  title: 'Four threads, and one queue',
  alt: 'The main thread is free and puts jobs into one queue. libuv’s four threads all compute hashes. In the queue ' +
    'three more hashes are ahead of a small file, which has to wait for all of them.',
  height: 285,
  pieces: [
    box(12, 30, 92, 58, ['main thread', 'free'], { tone: 'blue' }),
    arrow([[104, 59], [126, 59]]),
    text(236, 20, 'one queue, first come, first served', { isSmall: true, anchor: 'middle' }),
    box(128, 30, 220, 58, [], { isDashed: true }),
    ...waiting.map(([name, tone], at) => box(136 + at * 52, 44, 46, 30, name, { tone })),
    arrow([[159, 118], [159, 77]], { tone: 'green' }),
    text(128, 132, ['a few kB, quickly read,', 'and last in the queue'], { isSmall: true }),
    arrow([[324, 88], [324, 164]]),
    text(12, 172, 'libuv’s pool: four threads', { isBold: true }),
    ...[0, 1, 2, 3].map((at) => box(12 + at * 85, 182, 80, 40, ['hash'], { tone: 'red' })),
    text(12, 246, [
      'Event loop and disk are idle. Only the queue is long,',
      'and no profile of the main thread shows it.'
    ])
  ]
}
