import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const { DATA_DIR = '.' } = process.env

export const films = JSON.parse(readFileSync(path.join(DATA_DIR, 'films.json'), 'utf8'))
export const catalogue = JSON.stringify(films)
// The port is opened when this file has been loaded: the first visitor finds it ready.
export const catalogueGzipped = await promisify(gzip)(catalogue, { level: constants.Z_BEST_SPEED })

const byId = Object.assign(Object.create(null), Object.fromEntries(films.map((film) => [film.id, film])))
/** All titles and actors as one text, with a mark before each film's: one search for all of them. */
const mark = '\u0001'
const text = films.map(({ Title, Actors }) => `${mark}${Title}\u0002${Actors}`.toLowerCase()).join('') + mark
const starts = []
for (let at = text.indexOf(mark); at < text.length - 1; at = text.indexOf(mark, at + 1)) starts.push(at)

export function filmById (id) {
  return byId[id]
}

/** The JSON of the first films whose title or actors contain the text, in the order of the catalogue. */
export function search (given, limit) {
  const wanted = given.toLowerCase()
  const found = []
  if (wanted.includes(mark) || wanted.includes('\u0002')) return found
  let film = 0
  for (
    let at = text.indexOf(wanted);
    at !== -1 && found.length < limit;
    at = text.indexOf(wanted, starts[film + 1] ?? text.length)
  ) {
    while (film + 1 < starts.length && starts[film + 1] <= at) film++
    const { id, Title, Year } = films[film]
    found.push(JSON.stringify({ id, Title, Year }))
    if (film + 1 >= starts.length) break
  }
  return found
}
