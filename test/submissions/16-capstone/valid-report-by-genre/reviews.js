import { readFileSync } from 'node:fs'
import path from 'node:path'
import { films } from './catalogue.js'

const { DATA_DIR = '.' } = process.env

const ofFilm = new Map()
const genres = [...new Set(films.flatMap(({ Genre }) => Genre.split(', ')))].sort()
  .map((genre) => ({ genre, ids: films.filter(({ Genre }) => Genre.split(', ').includes(genre)).map(({ id }) => id) }))
/** The report's rows, without those that a new review has made void. */
const rows = new Map()
let count = 0

for (const review of JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))) keep(review)

function keep (review) {
  count++
  const list = ofFilm.get(review.film)
  if (list) list.push(review)
  else ofFilm.set(review.film, [review])
}

export function addReview (review) {
  const added = { id: count + 1, ...review }
  keep(added)
  for (const { genre, ids } of genres) if (ids.includes(review.film)) rows.delete(genre)
  return added
}

/** The newest reviews of a film, the newest first. */
export function newestReviews (film, count) {
  return (ofFilm.get(film) ?? []).slice(-count).reverse()
}

/** For each genre: how many reviews its films have, by how many people, and their mean number of stars. */
export function report () {
  return genres.map(({ genre, ids }) => {
    if (!rows.has(genre)) rows.set(genre, rowOf(genre, ids))
    return rows.get(genre)
  })
}

function rowOf (genre, ids) {
  const people = new Set()
  let [sum, reviews] = [0, 0]
  for (const id of ids) {
    for (const { user, stars } of ofFilm.get(id) ?? []) {
      people.add(user)
      sum += stars
      reviews++
    }
  }
  return { genre, reviews, people: people.size, stars: reviews === 0 ? 0 : Math.round(sum / reviews * 100) / 100 }
}
