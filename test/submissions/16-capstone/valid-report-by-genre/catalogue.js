import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import path from 'node:path'

const { DATA_DIR = '.' } = process.env

export const films = JSON.parse(readFileSync(path.join(DATA_DIR, 'films.json'), 'utf8'))

const byId = new Map()
for (const film of films) if (!byId.has(String(film.id))) byId.set(String(film.id), film)

/** The catalogue never changes while the server runs. */
export const plain = Buffer.from(JSON.stringify(films))
export const gzipped = gzipSync(plain, { level: 9 })

const searchable = films.map((film) => ({
  title: fold(String(film.Title)),
  actors: fold(String(film.Actors)),
  found: { id: film.id, Title: film.Title, Year: film.Year }
}))

export function filmById (id) {
  return byId.get(id)
}

/** The first films whose title or actors contain the text, in the order of the catalogue. */
export function search (text, limit) {
  const wanted = fold(text)
  const found = []
  for (const film of searchable) {
    if (!film.title.includes(wanted) && !film.actors.includes(wanted)) continue
    found.push(film.found)
    if (found.length === limit) break
  }
  return found
}

/** What a regular expression with the flag i makes of a text: one character for one, in any script. */
function fold (text) {
  let folded = ''
  for (let i = 0; i < text.length; i++) {
    const upper = text[i].toUpperCase()
    const isOther = upper.length !== 1 || (text.charCodeAt(i) > 127 && upper.charCodeAt(0) < 128)
    folded += isOther ? text[i] : upper
  }
  return folded
}
