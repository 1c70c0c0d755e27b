import { anyMovie } from './films.js'

/** @import { Check } from '../../runner/lesson/index.js' */

const slowReaders = 3
const longFilms = 60
const longPlot = 90_000

/** @type {Check[]} */
export const contract = [
  {
    name: 'sends one whole list, even when a film is added while it is on its way',
    when: ['before'],
    run: async ({ another, random }) => {
      const { get, post } = await another()
      const add = async (/** @type {object} */ more) => {
        return (await post('/movies', { json: { ...anyMovie(random), ...more } })).expectStatus(201)
      }
      // More than fits between server and client: the last part is still to be sent when the film comes.
      for (let i = 0; i < longFilms; i++) await add({ Plot: random.word(10).repeat(longPlot / 10) })
      for (let i = 0; i < slowReaders; i++) {
        const answer = await get('/movies', { meanwhile: () => add({}) })
        answer.expectStatus(200).json()
      }
    }
  }
]
