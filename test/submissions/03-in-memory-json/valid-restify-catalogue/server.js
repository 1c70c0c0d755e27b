'use strict'

const restify = require('restify')
const catalogue = require('./catalogue')

// JSON has no other charset than UTF-8, so none is named.
const JSON_TYPE = 'application/json'
const server = restify.createServer({ name: 'movies' })

server.get('/movies', (req, res, next) => {
  // The plugin compares without the quotes.
  res.etag = catalogue.tag()
  res.setHeader('ETag', `"${res.etag}"`)
  next()
}, ...restify.plugins.conditionalRequest(), (req, res, next) => {
  const body = catalogue.list()
  res.writeHead(200, { 'Content-Type': JSON_TYPE, 'Content-Length': body.length })
  res.end(body)
  next()
})

server.get('/movies/:id', (req, res, next) => {
  const movie = catalogue.find(req.params.id)
  if (movie) send(res, 200, movie)
  else send(res, 404, { error: 'not_found' })
  next()
})

server.post('/movies', restify.plugins.jsonBodyParser({ mapParams: false }), (req, res, next) => {
  if (!req.body?.Title) {
    send(res, 400, { error: 'invalid_movie' })
    return next()
  }
  const movie = catalogue.add(req.body)
  res.setHeader('Location', `http://${req.headers.host}/movies/${movie.id}`)
  send(res, 201, movie)
  next()
})

server.listen(Number(process.env.PORT), process.env.HOST)

function send (res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body) })
  res.end(body)
}
