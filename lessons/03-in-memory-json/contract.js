import { expectOtherTags } from '../shared/conditions.js'
import { anyMovie } from './operations.js'

/** @import { Check } from '../../runner/lesson/index.js' */

/** @type {Check[]} */
export const contract = [
  {
    name: 'never gives two lists the same ETag, also when it was started anew',
    when: ['before'],
    run: (given) => expectOtherTags(given, '/movies', () => {
      return { method: 'POST', path: '/movies', json: anyMovie(given.random) }
    })
  }
]
