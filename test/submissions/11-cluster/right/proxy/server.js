import http from 'node:http'
import express from 'express'
import { nextRenderer } from './renderers.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
const agent = new http.Agent({ keepAlive: true })
const TRIES = 5
let visits = 0

const app = express()
app.disable('x-powered-by')

app.get('/visits', (req, res) => {
  res.json({ visits })
})

// A view has no side effect: when its renderer is lost, another one is asked. It is counted once, here.
app.get('/panorama/:x/:y', async (req, res) => {
  for (let left = TRIES; ; left--) {
    try {
      const { status, text } = await ask(await nextRenderer(), req.path)
      res.type('json')
      return status === 200 ? res.send(`${text.slice(0, -1)},"visit":${++visits}}`) : res.status(status).send(text)
    } catch (error) {
      if (left === 0) throw error
    }
  }
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: 'internal_error' })
})

app.listen(Number(PORT), HOST)

function ask (port, path) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path, agent }, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (chunk) => { text += chunk }).on('error', reject)
      res.on('end', () => resolve({ status: res.statusCode, text }))
    }).on('error', reject)
  })
}
