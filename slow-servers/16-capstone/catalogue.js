import { readFileSync } from 'node:fs'
import path from 'node:path'

const { DATA_DIR = '.' } = process.env

const films = JSON.parse(readFileSync(path.join(DATA_DIR, 'films.json'), 'utf8'))

/** Callers get a copy, so that they can't change the catalogue. */
export function allFilms () {
  return JSON.parse(JSON.stringify(films))
}

export function filmById (id) {
  return films.find((film) => String(film.id) === id)
}

/** The first films whose title or actors contain the text, in the order of the catalogue. */
export function search (text, limit) {
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return allFilms()
    .filter((film) => new RegExp(literal, 'i').test(film.Title) || new RegExp(literal, 'i').test(film.Actors))
    .map(({ id, Title, Year }) => ({ id, Title, Year }))
    .slice(0, limit)
}
