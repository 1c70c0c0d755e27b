import { readFileSync } from 'node:fs'
import path from 'node:path'
import { films } from './catalogue.js'

const { DATA_DIR = '.' } = process.env

/** The reviews of each film, the oldest first. */
const byFilm = new Map(films.map(({ id }) => [id, []]))
/** What the report says of each genre, kept up to date by every review. */
const genres = new Map(films.flatMap(({ Genre }) => Genre.split(', ')).sort().map((genre) => [genre, { reviews: 0, sum: 0, people: 0 }]))
const genresOfFilm = new Map(films.map(({ id, Genre }) => [id, Genre.split(', ').map((genre) => genres.get(genre))]))
let count = 0

const stored = JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))
for (const review of stored) keep(review)
for (const [name, genre] of genres) {
  const ofGenre = stored.filter(({ film }) => genresOfFilm.get(film).includes(genres.get(name)))
  genre.people = new Set(ofGenre.map(({ user }) => user)).size
}

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
    people,
    stars: reviews === 0 ? 0 : Math.round(sum / reviews * 100) / 100
  }))
}

function keep (review) {
  count++
  byFilm.get(review.film).push(review)
  for (const genre of genresOfFilm.get(review.film)) {
    genre.reviews++
    genre.sum += review.stars
    genre.people++
  }
}
