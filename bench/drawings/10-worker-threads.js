import { arrow, box, text } from './svg.js'

/** @param {number} y @param {string} job */
const worker = (y, job) => [
  box(216, y, 132, 78, [], { tone: 'amber' }),
  text(282, y + 19, 'worker thread', { anchor: 'middle', isBold: true }),
  text(282, y + 38, 'own loop, heap', { anchor: 'middle', isSmall: true }),
  box(228, y + 47, 108, 23, job, { tone: 'red' })
]

export default {
  lesson: '10-worker-threads',
  file: 'worker-threads.svg',
  title: 'Worker threads and their messages',
  alt: 'The main thread has its event loop and its heap, and responds to health checks. It sends jobs as messages to ' +
    'two worker threads, each with its own loop and heap, and gets results back. Every message is copied. More jobs ' +
    'wait in a queue of the main thread.',
  height: 282,
  pieces: [
    box(12, 20, 118, 168, [], { tone: 'blue' }),
    text(71, 40, 'main thread', { anchor: 'middle', isBold: true }),
    text(71, 60, 'own loop, heap', { anchor: 'middle', isSmall: true }),
    box(22, 76, 98, 26, '/healthz', { tone: 'green' }),
    text(71, 128, 'waiting jobs', { anchor: 'middle', isSmall: true }),
    ...[0, 1, 2].map((at) => box(30 + at * 28, 138, 24, 24, [], { tone: 'red' })),
    ...worker(20, 'report 1'),
    ...worker(110, 'report 2'),
    arrow([[130, 46], [215, 46]]),
    text(172, 40, 'job', { anchor: 'middle', isSmall: true }),
    arrow([[215, 76], [131, 76]]),
    text(172, 92, 'result', { anchor: 'middle', isSmall: true }),
    arrow([[130, 136], [215, 136]]),
    text(172, 130, 'job', { anchor: 'middle', isSmall: true }),
    arrow([[215, 166], [131, 166]]),
    text(172, 182, 'result', { anchor: 'middle', isSmall: true }),
    text(12, 218, [
      'A message is a copy (structured clone). You can',
      'transfer an ArrayBuffer, and both sides can see',
      'a SharedArrayBuffer.',
      'More workers than cores gain nothing.'
    ])
  ]
}
