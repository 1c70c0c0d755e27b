const fs = require('node:fs')
const path = require('node:path')
const crypto = require('node:crypto')
const express = require('express')

const movies = JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR || '.', 'movies.json'), 'utf8'))

// A version number alone would repeat itself after a restart.
const instance = crypto.randomBytes(6).toString('hex')
let version = 1
let json = null

const app = express()
app.disable('etag')

app.get('/movies', function (req, res) {
  res.set('ETag', 'W/"' + instance + '-' + version + '"')
  if (req.fresh) {
    return res.status(304).end()
  }
  if (json === null) {
    json = Buffer.from(JSON.stringify(movies))
  }
  res.set('Content-Type', 'application/json; charset=utf-8')
  res.set('Content-Length', json.length)
  res.end(json)
})

app.post('/movies', express.json(), function (req, res) {
  if (!req.body || !req.body.Title) {
    return res.status(400).json({ error: 'invalid_movie' })
  }
  const movie = Object.assign({}, req.body, { id: movies.length + 1 })
  movies.push(movie)
  version++
  json = null
  res.status(201).location('/movies/' + movie.id).json(movie)
})

app.get('/movies/:id', function (req, res) {
  const movie = movies.find(function (movie) { return movie.id === Number(req.params.id) })
  if (!movie) {
    return res.status(404).json({ error: 'not_found' })
  }
  res.json(movie)
})

app.listen(process.env.PORT || 3000, process.env.HOST || '127.0.0.1')
