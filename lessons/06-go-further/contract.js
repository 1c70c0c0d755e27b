import { expectOtherTags } from '../shared/conditions.js'
import { anyData } from './content.js'

/** @import { Check } from '../../runner/lesson/index.js' */

/** @type {Check[]} */
export const contract = [
  {
    name: 'never gives two contents the same ETag, also when it was started anew',
    when: ['before'],
    run: (given) => expectOtherTags(given, '/seed/v1', () => {
      return { method: 'PUT', path: '/seed/v1', json: { data: anyData(given.random) } }
    })
  }
]
