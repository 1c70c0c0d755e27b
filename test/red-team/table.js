/**
 * What is tried where, and what must come of it.
 *
 * @typedef {object} Row
 * @property {string} attack a file of attacks/
 * @property {'solution' | 'slow'} base the server that it is put in front of
 * @property {number[]} lessons in which it is always tried
 * @property {number[] | 'no others'} [also] in which it makes sense besides these; by default all that are left
 * @property {'wrong' | 'named' | 'never passes'} expect wrong: refused by the contract or for a wrong answer under
 *   load; named: the verdict's reason says so in these words; never passes: anything but a pass
 * @property {RegExp} [words] of the reason, the contract's messages or the load's problems
 * @property {string} [why] why it is not tried in other lessons
 */

const changing = 'Elsewhere the answer of a route hangs on nothing that changes, or on what only the contract changes.'
const noServer = 'Lesson 7 has no server of the learner’s.'

/**
 * Their slow servers are known to fail the contract: an attack in front of one is refused before it can do anything.
 */
export const failing = [4, 12, 14, 15, 16]

/** @type {Row[]} */
export const table = [
  // The load is noticed, and an old answer is given again.
  {
    attack: 'notice-by-header',
    base: 'slow',
    lessons: [1, 9, 10],
    expect: 'never passes',
    why: `Every sender sends the same bytes (test/load/alike.test.js): it notices nothing. ${noServer}`
  },
  { attack: 'notice-by-connections', base: 'solution', lessons: [3, 4, 9, 16], expect: 'wrong', why: changing },
  { attack: 'notice-by-keep-alive', base: 'solution', lessons: [1, 2, 3, 8, 13], expect: 'wrong', why: changing },
  { attack: 'notice-by-rate', base: 'solution', lessons: [2, 3, 4, 6], expect: 'wrong', why: changing },
  { attack: 'notice-by-time', base: 'solution', lessons: [5, 8, 10, 15], expect: 'wrong', why: changing },
  { attack: 'notice-by-order', base: 'solution', lessons: [4, 6, 14, 15], expect: 'wrong', why: changing },
  { attack: 'notice-by-parent', base: 'solution', lessons: [5, 10, 13], expect: 'wrong', why: changing },
  { attack: 'notice-by-start', base: 'solution', lessons: [3, 11, 14], expect: 'wrong', why: changing },
  { attack: 'cached-for-ever', base: 'solution', lessons: [2, 6, 12], expect: 'wrong' },
  // Nobody reads the answers of a load test.
  { attack: 'empty-under-load', base: 'solution', lessons: [5, 9, 14], expect: 'wrong' },
  { attack: 'refuse-under-load', base: 'solution', lessons: [11, 12, 15], expect: 'wrong' },
  {
    attack: 'swapped-answers',
    base: 'solution',
    lessons: [4, 9, 13],
    also: 'no others',
    expect: 'wrong',
    why: 'Elsewhere two answers in flight at the same moment are mostly the same, or the bytes of one take no second ' +
      'request.'
  },
  // On the wire.
  { attack: 'interim-answers', base: 'solution', lessons: [8, 13, 16], expect: 'named', words: /interim answer/ },
  {
    attack: 'cut-body',
    base: 'solution',
    lessons: [5, 6, 14, 16],
    expect: 'named',
    words: /the answer was cut|closed the connection without an answer|the connection was lost|is not valid HTTP/
  },
  {
    attack: 'answered-twice',
    base: 'solution',
    lessons: [3, 8],
    expect: 'wrong'
  },
  {
    attack: 'extra-bytes',
    base: 'solution',
    lessons: [2, 4],
    expect: 'wrong'
  },
  { attack: 'late-end', base: 'slow', lessons: [3], expect: 'never passes' },
  // What a server says of itself is not read.
  { attack: 'forged-clock', base: 'slow', lessons: [10], expect: 'never passes' },
  { attack: 'forged-usage', base: 'slow', lessons: [6], expect: 'never passes' },
  { attack: 'forged-lines', base: 'slow', lessons: [13], expect: 'never passes' },
  { attack: 'grandchild', base: 'slow', lessons: [1, 3], expect: 'named', words: /ended with exit code 0/ },
  // Other processes of the check.
  {
    attack: 'burn-when-idle',
    base: 'slow',
    lessons: [3, 8],
    also: 'no others',
    expect: 'named',
    words: /keeps the processor busy while no request is in flight/
  },
  { attack: 'burn-elsewhere', base: 'slow', lessons: [3], also: 'no others', expect: 'never passes' },
  { attack: 'stop-baseline', base: 'slow', lessons: [3], expect: 'never passes' },
  { attack: 'stop-generator', base: 'slow', lessons: [3], expect: 'never passes' },
  { attack: 'kill-generator', base: 'slow', lessons: [3], expect: 'named', words: /load generator ended/ },
  { attack: 'burden-baseline', base: 'slow', lessons: [11], expect: 'never passes' },
  { attack: 'burden-half-closed', base: 'slow', lessons: [3], expect: 'never passes' },
  {
    attack: 'burden-reset',
    base: 'slow',
    lessons: [8],
    expect: 'named',
    words: /your server was connected to it|another program was connected to it|keeps the processor busy/
  },
  { attack: 'slow-priority', base: 'slow', lessons: [3, 11], expect: 'named', words: /its priority, or the cores/ },
  { attack: 'pin-baseline', base: 'slow', lessons: [6], expect: 'named', words: /its priority, or the cores/ },
  { attack: 'debug-baseline', base: 'slow', lessons: [3], expect: 'never passes' },
  { attack: 'debug-check', base: 'slow', lessons: [3], expect: 'never passes' },
  {
    attack: 'edit-baseline',
    base: 'slow',
    lessons: [3],
    expect: 'named',
    words: /server\.js was changed while the check ran/
  },
  {
    attack: 'call-their-upstream',
    base: 'slow',
    lessons: [13],
    also: 'no others',
    expect: 'never passes',
    why: 'The others have no upstream, or a slow server that is known to fail.'
  }
]
