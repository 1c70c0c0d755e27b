import { oddNumbers } from '../form/kinds.js'
import { answersOf, countDrawn, jsonIn } from '../shared/answers.js'
import { anyPlace, pathOf, range } from './terrain.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation, Step } from '../../runner/lesson/index.js'
 */

/** @type {Record<string, Operation>} */
export const operations = {
  // It counts, so it is a write, though it is a GET.
  panorama: {
    rule: 'computes the panorama of any place on the map, to the last digit',
    effect: 'counts every panorama as one visit, whichever process answers',
    touches: ['visits', 'numbers'],
    weight: 4,
    draw: ({ random, past }) => {
      const known = past('panorama')
      // The last one again: by chance at the same moment. Two visits to one place are two visits.
      return known.length > 0 && random.next() < 0.45
        ? random.pick([known[known.length - 1], random.pick(known)]).asked
        : { path: pathOf(anyPlace(random)) }
    },
    meaning: (answer) => {
      const { visit, ...view } = answer.json()
      // Of two at the same moment, either may be first: `numbers` looks at all of them.
      if (!Number.isInteger(visit) || visit < 1) {
        throw new Error(`visit is ${JSON.stringify(visit)}, not a whole number from 1`)
      }
      return view
    }
  },
  numbers: {
    rule: 'numbers the visits one after another, even those to one place',
    weight: 0.5,
    draw: ({ past }) => {
      const steps = past('panorama')
      return steps.length === 0
        ? null
        : (answerOf) => ({ look: () => numbersIn(steps, answerOf), says: 'the numbers of the visits so far' })
    }
  },
  visits: {
    rule: 'says how many visits there have been',
    draw: () => ({ path: '/visits' })
  },
  none: {
    rule: 'answers 404 for a place that isn’t on the map',
    least: 9,
    odd: true,
    draw: ({ random, past }) => {
      const { x, y } = anyPlace(random)
      const values = [...oddNumbers(random, y), range.low - 1, range.high + 1, random.int(range.high + 1, 99_999)]
      const off = values[countDrawn(past('none')) % values.length]
      return { path: pathOf(random.pick([{ x, y: off }, { x: off, y }])) }
    }
  }
}

/**
 * All numbers in their order, and those that are more than one place away from where they should be: two that were
 * requested at the same moment may have changed places.
 *
 * @param {Step[]} steps
 * @param {(step: Step) => Answer} answerOf
 */
function numbersIn (steps, answerOf) {
  const views = answersOf(steps, answerOf).flatMap(({ answer }) => jsonIn(answer) ?? [])
  const numbers = views.map(({ visit }) => Number(visit))
  return {
    numbers: [...numbers].sort((a, b) => a - b),
    misplaced: numbers.filter((number, place) => Math.abs(number - place - 1) > 1)
  }
}
