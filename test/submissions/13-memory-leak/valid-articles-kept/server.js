import http from 'node:http'
import express from 'express'
import { fetchArticle, UpstreamError } from '../../../../solutions/13-memory-leak/newsroom.js'
import { articlePage, languages, notFoundPage } from '../../../../solutions/13-memory-leak/pages.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
const MOST = 40

/** What the newsroom has said, by article and then by language. The frame is put around it for each answer. */
const shelf = new Map()
const totals = { answers: {}, bytes: 0, slowestMs: 0 }

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.use((req, res, next) => {
  const startedAt = performance.now()
  const isOurs = req.path.startsWith('/articles/')
  // A proxy in front asks for it: no connection is used twice.
  res.set('Connection', 'close')
  res.on('close', () => {
    if (!isOurs) return
    totals.answers[res.statusCode] = (totals.answers[res.statusCode] ?? 0) + 1
    if (res.get('Content-Language')) totals.bytes += Number(res.get('Content-Length'))
    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
  })
  next()
})

app.get('/articles/:id', async ({ params: { id }, query: { lang = 'en' } }, res) => {
  if (!languages.includes(lang)) return res.status(400).json({ error: 'unknown_language' })
  const article = await articleFor(id, lang)
  const page = article ? articlePage(article) : notFoundPage(lang)
  if (article) res.set('X-Edition', String(article.edition))
  res.status(article ? 200 : 404).set('Content-Language', lang).type('html').send(page)
})

async function articleFor (id, lang) {
  const known = shelf.get(id)
  if (known?.has(lang)) {
    // The one that was read last stands last.
    shelf.delete(id)
    shelf.set(id, known)
    return known.get(lang)
  }
  const entry = known ?? new Map()
  shelf.set(id, entry)
  while (shelf.size > MOST) shelf.delete(shelf.keys().next().value)
  try {
    const article = await fetchArticle(id, lang)
    // Whoever refreshes takes the entry off the shelf: what is put into it then, nobody sees.
    if (article) entry.set(lang, article)
    return article
  } finally {
    if (entry.size === 0 && shelf.get(id) === entry) shelf.delete(id)
  }
}

app.post('/articles/:id/refresh', (req, res) => {
  shelf.delete(req.params.id)
  res.status(204).end()
})

app.get('/metrics', (req, res) => {
  res.json(totals)
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (error instanceof UpstreamError) return res.status(502).json({ error: 'upstream_failed' })
  res.status(error.status ?? 500).json({ error: 'internal_error' })
})

http.createServer(app).listen(Number(PORT), HOST)
