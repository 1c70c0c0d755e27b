import { expectOtherTags } from '../shared/conditions.js'
import { anyMovie } from './operations.js'

/** @import { Check } from '../../runner/lesson/index.js' */

const slowReaders = 3

/** @type {Check[]} */
export const contract = [
  {
    name: 'never gives two lists the same ETag, also when it was started anew',
    when: ['before'],
    run: (given) => expectOtherTags(given, '/movies', () => {
      return { method: 'POST', path: '/movies', json: anyMovie(given.random) }
    }, { adds: true })
  },
  {
    name: 'sends one whole list, also when a film is added while it is on its way',
    when: ['before'],
    run: async ({ get, post, random }) => {
      for (let i = 0; i < slowReaders; i++) {
        // More than fits between server and client: the last part is still to be sent.
        const answer = await get('/movies', { meanwhile: () => post('/movies', { json: anyMovie(random) }) })
        answer.expectStatus(200).json()
      }
    }
  }
]
