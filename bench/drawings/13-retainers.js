import { arrow, box, text } from './svg.js'

/** @type {[string, string][]} */
const chain = [
  ['root', 'globals, stacks, timers'],
  ['list', 'lives as long as the server'],
  ['function', 'to be called later'],
  ['scope', 'the variables that it can see'],
  ['request', 'headers, cookies, body']
]

export default {
  lesson: '13-memory-leak',
  file: 'retainers.svg',
  title: 'What keeps an object: its retainers',
  alt: 'A chain from a root to a list, to a function in it, to the scope of that function, to a request that was ' +
    'answered long ago. As long as the chain holds, the request can’t be freed. An object that no chain reaches is ' +
    'freed by the next collection.',
  height: 350,
  pieces: [
    text(12, 20, 'Kept: there is a way from a root', { isBold: true }),
    ...chain.flatMap(([name, what], at) => [
      box(12, 32 + at * 44, 84, 30, name, { tone: at === 0 ? 'blue' : at === chain.length - 1 ? 'red' : 'amber' }),
      text(106, 52 + at * 44, what, { isSmall: true }),
      at === 0 ? '' : arrow([[54, 18 + at * 44], [54, 31 + at * 44]])
    ]),
    text(12, 268, [
      'Read it upwards: each box is a retainer of the one',
      'below. Cut one arrow, and all below can go.'
    ], { isSmall: true }),
    box(12, 304, 84, 30, 'page', { tone: 'green', isDashed: true }),
    text(106, 315, ['nothing points here: gone with', 'the next collection'], { isSmall: true })
  ]
}
