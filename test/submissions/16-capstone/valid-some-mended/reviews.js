import { readFileSync } from 'node:fs'
import path from 'node:path'

const { DATA_DIR = '.' } = process.env

const reviews = JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))

export function addReview (review) {
  const added = { id: reviews.length + 1, ...review }
  reviews.push(added)
  return added
}

/** The newest reviews of a film, the newest first. */
export function newestReviews (film, count) {
  return reviews.filter((review) => review.film === film).reverse().slice(0, count)
}

/** For each genre: how many reviews its films have, by how many people, and their mean number of stars. */
export function report (films) {
  let genres = []
  for (const film of films) {
    for (const genre of film.Genre.split(', ')) if (!genres.includes(genre)) genres = [...genres, genre]
  }
  return genres.sort().map((genre) => {
    let people = []
    let sum = 0
    let count = 0
    for (const film of films.filter(({ Genre }) => Genre.split(', ').includes(genre))) {
      for (const { user, stars } of reviews.filter((review) => review.film === film.id)) {
        if (!people.includes(user)) people = [...people, user]
        sum += stars
        count++
      }
    }
    return {
      genre,
      reviews: count,
      people: people.length,
      stars: count === 0 ? 0 : Math.round(sum / count * 100) / 100
    }
  })
}
