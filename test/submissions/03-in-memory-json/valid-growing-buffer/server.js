import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const catalogue = createCatalogue(JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8')))

/**
 * The list as bytes, with room at the end: a new film is written behind the last one, and the hash goes on from there.
 */
function createCatalogue (movies) {
  const first = JSON.stringify(movies).slice(0, -1)
  let bytes = Buffer.alloc(Buffer.byteLength(first) * 2)
  let length = bytes.write(first)
  const hash = createHash('sha1').update(first)
  const close = () => {
    bytes[length] = 0x5d
    // A copy: an answer that is still on its way must not see the next film.
    return { body: Buffer.from(bytes.subarray(0, length + 1)), etag: `"${hash.copy().digest('hex')}"` }
  }
  let page = close()
  return {
    page: () => page,
    find: (id) => movies[id - 1],
    add (fields) {
      const movie = { ...fields, id: movies.length + 1 }
      const addition = Buffer.from((movies.length > 0 ? ',' : '') + JSON.stringify(movie))
      if (length + addition.length + 1 > bytes.length) {
        bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length + addition.length)])
      }
      addition.copy(bytes, length)
      length += addition.length
      hash.update(addition)
      movies.push(movie)
      page = close()
      return movie
    }
  }
}

const app = express()
app.set('etag', false)

app.get('/movies', (req, res) => {
  const { body, etag } = catalogue.page()
  res.set({ 'Content-Type': 'application/json; charset=utf-8', ETag: etag }).send(body)
})

app.post('/movies', express.json(), (req, res) => {
  if (!req.body?.Title) return res.status(400).json({ error: 'invalid_movie' })
  const movie = catalogue.add(req.body)
  res.status(201).location(`/movies/${movie.id}`).json(movie)
})

app.get('/movies/:id', (req, res) => {
  const movie = catalogue.find(Number(req.params.id))
  if (!movie) return res.status(404).json({ error: 'not_found' })
  res.json(movie)
})

app.listen(Number(PORT), HOST)
