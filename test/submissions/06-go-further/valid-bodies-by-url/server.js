import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT, HOST, DATA_DIR } = process.env
const app = express()
const answers = new Map()
let { data } = JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8'))

app.route('/seed/v1')
  .get((req, res) => {
    const { body, etag } = answerTo(req.originalUrl)
    // With an ETag already set Express does not hash, and still answers 304.
    res.set({ ETag: etag, 'Cache-Control': 'public, no-cache' }).type('json').send(body)
  })
  .put(express.json({ limit: '10mb', strict: false }), (req, res) => {
    const sent = req.body?.data
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      return res.status(400).json({ code: 'InvalidContent', message: '`data` has to be an object' })
    }
    data = sent
    answers.clear()
    res.status(204).end()
  })
  .all((req, res) => {
    res.set('Allow', 'GET, PUT').status(405).json({ code: 'MethodNotAllowed', message: `${req.method} is not allowed` })
  })

app.use((req, res) => {
  res.status(404).json({ code: 'ResourceNotFound', message: `${req.path} does not exist` })
})

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ code: 'InvalidContent', message: error.message })
})

app.listen(Number(PORT), HOST)

function answerTo (url) {
  let answer = answers.get(url)
  if (!answer) {
    const body = Buffer.from(JSON.stringify({ url, data }))
    answer = { body, etag: `"${createHash('sha1').update(body).digest('hex')}"` }
    // Anybody can invent a query string: without a bound they would fill the memory.
    if (answers.size >= 200) answers.delete(answers.keys().next().value)
    answers.set(url, answer)
  }
  return answer
}
