import { box, text } from './svg.js'

/** Microseconds, as measured: the rows of the lesson's table. */
const steps = /** @type {[name: string, us: number, tone: import('./svg.js').Tone][]} */ ([
  ['sorted copy', 310, 'red'], ['text', 75, 'amber'], ['hash', 50, 'ink'], ['text', 75, 'amber'],
  ['all the rest', 80, 'blue']
])
const scale = 0.57

/** @param {number} y @param {typeof steps} some */
const bar = (y, some) => some.map(([, us, tone], at) => {
  const before = some.slice(0, at).reduce((sum, [, us]) => sum + us, 0)
  return box(12 + before * scale, y, us * scale, 32, [], { tone })
})

export default {
  lesson: '06-go-further',
  file: 'budget.svg',
  title: 'The budget of a response',
  alt: 'One bar for the time of a response: the sorted copy takes 53 % of it, the two texts 25 %, the ' +
    'hash 8 %, and restify, Node.js and the kernel the rest. A second bar shows that a 304 needs all of it except ' +
    'the second text.',
  height: 214,
  pieces: [
    text(12, 22, 'A full response', { isBold: true }),
    ...bar(34, steps),
    text(100, 54, 'sorted copy', { anchor: 'middle', isSmall: true }),
    text(210, 84, 'text', { anchor: 'middle', isSmall: true }),
    text(246, 84, 'hash', { anchor: 'middle', isSmall: true }),
    text(282, 84, 'text', { anchor: 'middle', isSmall: true }),
    text(326, 54, 'the rest', { anchor: 'middle', isSmall: true }),
    text(12, 120, 'A 304, which has no body', { isBold: true }),
    ...bar(132, steps.filter((_, at) => at !== 3)),
    text(12, 196, 'What the content alone decides can move into the PUT.', { isSmall: true, tone: 'soft' })
  ]
}
