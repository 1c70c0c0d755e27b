import { arrow, box, text } from './svg.js'

export default {
  lesson: '15-chatty-logger',
  file: 'buffered-log.svg',
  title: 'The way of a log line, and what a crash takes with it',
  alt: 'A line of the log goes from the request into a buffer of the process, with one write for many lines into the ' +
    'kernel’s page cache, and later to the disk. When the process dies the buffer is lost; when the machine dies the ' +
    'page cache is lost too.',
  height: 290,
  pieces: [
    box(12, 20, 152, 132, [], { tone: 'amber' }),
    text(88, 40, 'your process', { anchor: 'middle', isBold: true }),
    box(24, 52, 128, 24, 'a line per request', { isSmall: true }),
    arrow([[88, 76], [88, 89]]),
    box(24, 90, 128, 50, ['buffer:', 'many lines'], { tone: 'red' }),
    box(216, 20, 132, 132, [], { tone: 'blue' }),
    text(282, 40, 'kernel', { anchor: 'middle', isBold: true }),
    box(228, 90, 108, 50, ['page cache:', 'the file'], { tone: 'green' }),
    arrow([[152, 115], [227, 115]]),
    text(190, 92, ['one', 'write'], { anchor: 'middle', isSmall: true }),
    arrow([[282, 140], [282, 178]]),
    text(272, 170, 'later', { anchor: 'end', isSmall: true }),
    box(228, 180, 108, 30, 'disk', { tone: 'green' }),
    text(12, 196, 'What is lost, when …', { isBold: true }),
    text(12, 236, '… the process is killed: the buffer'),
    text(12, 260, ['… the power fails: the buffer, and what in the', 'page cache isn’t on the disk yet'])
  ]
}
