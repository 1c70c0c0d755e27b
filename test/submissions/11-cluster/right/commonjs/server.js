const cluster = require('node:cluster')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const express = require('express')
const { panorama } = require('./panorama.js')

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

if (cluster.isPrimary) startPrimary()
else startWorker()

function startPrimary () {
  let visits = 0
  const fork = () => {
    const worker = cluster.fork()
    worker.on('message', (message) => {
      if (message === 'visit') visits++
      worker.send(visits, () => {})
    })
    worker.on('exit', (code) => setTimeout(fork, code === 1 ? 500 : 0))
  }
  os.cpus().forEach(fork)
  if (os.cpus().length === 1) fork()
}

function startWorker () {
  const terrain = JSON.parse(fs.readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
  const last = (terrain.size - 1) * terrain.cell - 100
  // The primary answers in the order in which it was asked.
  const waiting = []
  process.on('message', (visits) => waiting.shift()(visits))
  const askPrimary = (message, then) => {
    waiting.push(then)
    process.send(message)
  }

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.get('/visits', (req, res) => askPrimary('read', (visits) => res.json({ visits })))
  app.get('/panorama/:x/:y', (req, res, next) => {
    const { x, y } = req.params
    if (![x, y].every((text) => /^\d{1,5}$/.test(text) && Number(text) >= 100 && Number(text) <= last)) return next()
    const view = panorama(terrain, Number(x), Number(y))
    askPrimary('visit', (visit) => res.json({ ...view, visit }))
  })
  app.use((req, res) => res.status(404).json({ error: 'not_found' }))
  app.listen(Number(PORT), HOST)
}
