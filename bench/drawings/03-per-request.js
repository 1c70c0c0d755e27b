import { arrow, box, text } from './svg.js'

const steps = ['films', 'text', 'bytes', 'hash']
/** @param {number} y @param {import('./svg.js').Tone} tone @param {string} last */
const chain = (y, tone, last) => [...steps, last].flatMap((name, at) => [
  box(12 + at * 70, y, 54, 30, name, { tone: at === 4 ? 'blue' : at === 0 ? 'ink' : tone }),
  at === 0 ? '' : arrow([[-4 + at * 70, y + 15], [11 + at * 70, y + 15]])
])

export default {
  lesson: '03-in-memory-json',
  file: 'per-request.svg',
  title: 'What is done for each request, and what once for each change',
  alt: 'Before: for each GET the films are made into text, the text into bytes, the bytes into a hash, and the bytes ' +
    'go to the socket. After: text, bytes and hash are made once for each POST and kept; a GET sends the kept bytes.',
  height: 262,
  pieces: [
    text(12, 22, 'Before: each GET does all of it', { isBold: true }),
    ...chain(34, 'red', 'socket'),
    text(12, 112, 'After: each POST does this', { isBold: true }),
    ...chain(124, 'green', 'kept'),
    text(12, 202, 'After: each GET does that', { isBold: true }),
    box(222, 214, 54, 30, 'kept', { tone: 'blue' }),
    arrow([[277, 229], [291, 229]]),
    box(292, 214, 56, 30, 'socket', { tone: 'blue' }),
    arrow([[319, 155], [319, 184], [249, 184], [249, 213]], { isDashed: true })
  ]
}
