import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import path from 'node:path'

const { DATA_DIR = '.' } = process.env

export const films = JSON.parse(readFileSync(path.join(DATA_DIR, 'films.json'), 'utf8'))

// The catalogue doesn't change while the server runs, and no client waits for these lines before the port is open.
export const catalogue = Buffer.from(JSON.stringify(films))
export const catalogueGzipped = gzipSync(catalogue, { level: 9 })

const byId = new Map(films.map((film) => [String(film.id), film]))
const entries = films.map(({ id, Title, Year, Actors }) => ({
  title: Title.toLowerCase(),
  actors: Actors.toLowerCase(),
  json: JSON.stringify({ id, Title, Year })
}))

export function filmById (id) {
  return byId.get(id)
}

/** The JSON of the first films whose title or actors contain the text, in the order of the catalogue. */
export function search (text, limit) {
  const wanted = text.toLowerCase()
  const found = []
  for (const { title, actors, json } of entries) {
    if (!title.includes(wanted) && !actors.includes(wanted)) continue
    found.push(json)
    if (found.length === limit) break
  }
  return found
}
