'use strict'

const { randomBytes } = require('node:crypto')
const { EventEmitter } = require('node:events')
const { readFileSync } = require('node:fs')
const path = require('node:path')

const movies = new Map(JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'movies.json'), 'utf8'))
  .map((movie) => [String(movie.id), movie]))
const changes = new EventEmitter()
let tag
let list

// Listeners run before emit() returns, so no answer can leave in between.
changes.on('added', renew)
renew()

module.exports = {
  tag: () => tag,
  list: () => {
    list ??= Buffer.from(JSON.stringify([...movies.values()]))
    return list
  },
  find: (id) => movies.get(id),
  add (fields) {
    const movie = { ...fields, id: movies.size + 1 }
    movies.set(String(movie.id), movie)
    changes.emit('added', movie)
    return movie
  }
}

function renew () {
  tag = randomBytes(16).toString('hex')
  list = undefined
}
