import { readFileSync } from 'node:fs'
import path from 'node:path'
import { films } from './catalogue.js'

const { DATA_DIR = '.' } = process.env

/** The reviews of each film, the oldest first. */
const byFilm = new Map(films.map(({ id }) => [id, []]))
/** What the report says about each genre, updated by every review. */
const genres = new Map(films
  .flatMap(({ Genre }) => Genre.split(', '))
  .sort()
  .map((genre) => [genre, { reviews: 0, sum: 0, people: new Set() }]))
const genresOfFilm = new Map(films.map(({ id, Genre }) => [id, Genre.split(', ').map((genre) => genres.get(genre))]))
let count = 0

for (const review of JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))) keep(review)

export function addReview (review) {
  const added = { id: count + 1, ...review }
  keep(added)
  return added
}

/** The newest reviews of a film, the newest first. */
export function newestReviews (film, most) {
  return byFilm.get(film).slice(-most).reverse()
}

/** For each genre: how many reviews its films have, by how many people, and their mean number of stars. */
export function report () {
  return [...genres].map(([genre, { reviews, sum, people }]) => ({
    genre,
    reviews,
    people: people.size,
    stars: reviews === 0 ? 0 : Math.round(sum / reviews * 100) / 100
  }))
}

function keep (review) {
  count++
  byFilm.get(review.film).push(review)
  for (const genre of genresOfFilm.get(review.film)) {
    genre.reviews++
    genre.sum += review.stars
    genre.people.add(review.user)
  }
}
