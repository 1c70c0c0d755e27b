import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express, { type Request, type Response } from 'express'
import { Catalogue, type Fields } from './catalogue.ts'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const catalogue = new Catalogue()
for (const movie of JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))) catalogue.add(movie)

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/movies/search/genre/:genre/:limit', (req: Request<{ genre: string, limit: string }>, res: Response) => {
  const limit = Number(req.params.limit)
  if (!Number.isInteger(limit) || limit < 1) return void res.status(400).json({ error: 'invalid_limit' })
  res.json(catalogue.search(req.params.genre, limit))
})

app.post('/movies', express.json(), (req: Request, res: Response) => {
  const fields: Partial<Fields> = req.body ?? {}
  if (!isMovie(fields)) return void res.status(400).json({ error: 'invalid_movie' })
  res.status(201).json(catalogue.add(fields))
})

app.listen(Number(PORT), HOST)

function isMovie (fields: Partial<Fields>): fields is Fields {
  return [fields.Title, fields.Genre].every((value) => typeof value === 'string' && value !== '')
}
