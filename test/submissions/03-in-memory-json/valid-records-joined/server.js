import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

// Each film is serialised once in its life; a list is these strings, joined.
const films = new Map()
for (const movie of JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))) {
  films.set(String(movie.id), JSON.stringify(movie))
}
let list

function getList () {
  if (!list) {
    const body = Buffer.from(`[${[...films.values()].join(',')}]`)
    list = { body, etag: `W/"${films.size}-${createHash('md5').update(body).digest('hex')}"` }
  }
  return list
}

const app = express()
app.use(express.json())

app.route('/movies')
  .get((req, res) => {
    const { body, etag } = getList()
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.setHeader('ETag', etag)
    res.send(body)
  })
  .post((req, res) => {
    if (!req.body?.Title) return res.status(400).json({ error: 'invalid_movie' })
    const { id: ignored, ...fields } = req.body
    const id = films.size + 1
    const film = JSON.stringify({ id, ...fields })
    films.set(String(id), film)
    list = undefined
    res.status(201).location(`/movies/${id}`).type('json').send(film)
  })

app.get('/movies/:id', (req, res) => {
  const film = films.get(req.params.id)
  if (!film) return res.status(404).json({ error: 'not_found' })
  res.type('json').send(film)
})

app.listen(Number(PORT), HOST)
