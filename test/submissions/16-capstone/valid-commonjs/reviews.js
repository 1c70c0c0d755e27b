'use strict'
const { read } = require('./data.js')
const films = require('./films.js')

const all = read('reviews.json')
const byFilm = new Map(films.all.map(({ id }) => [id, []]))
for (const review of all) byFilm.get(review.film).push(review)
let known

exports.add = function (review) {
  const added = { id: all.length + 1, ...review }
  all.push(added)
  byFilm.get(review.film).push(added)
  known = undefined
  return added
}

exports.newest = (film, count) => byFilm.get(film).slice(-count).reverse()

/** Made again only when there was a review since. */
exports.report = function () {
  known ??= makeReport()
  return known
}

function makeReport () {
  const genres = new Map()
  for (const { id, Genre } of films.all) {
    for (const genre of Genre.split(', ')) {
      if (!genres.has(genre)) genres.set(genre, { count: 0, sum: 0, people: new Set() })
      const row = genres.get(genre)
      for (const { user, stars } of byFilm.get(id)) {
        row.count++
        row.sum += stars
        row.people.add(user)
      }
    }
  }
  return [...genres.keys()].sort().map((genre) => {
    const { count, sum, people } = genres.get(genre)
    return { genre, reviews: count, people: people.size, stars: count === 0 ? 0 : Math.round(sum / count * 100) / 100 }
  })
}
