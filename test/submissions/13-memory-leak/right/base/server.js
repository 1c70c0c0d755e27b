import express from 'express'
import { fetchArticle, UpstreamError } from './newsroom.js'
import { measure, report } from './metrics.js'
import { articlePage, languages, notFoundPage } from './pages.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')
app.use('/articles', measure)

const MOST = 200
const pages = new Map()
const refreshes = new Map()

async function pageFor (id, lang) {
  const key = `${lang} ${id}`
  const refreshed = refreshes.get(id) ?? 0
  const kept = pages.get(key)
  if (kept && kept.refreshed === refreshed) return kept
  const page = { ...await make(id, lang), refreshed }
  if (page.status === 404) return page
  pages.delete(key)
  pages.set(key, page)
  if (pages.size > MOST) pages.delete(pages.keys().next().value)
  return page
}

function refresh (id) {
  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
}

async function make (id, lang) {
  const article = await fetchArticle(id, lang)
  const page = article
    ? { status: 200, html: articlePage(article), edition: article.edition }
    : { status: 404, html: notFoundPage(lang) }
  return { ...page, bytes: Buffer.byteLength(page.html) }
}

app.get('/articles/:id', async (req, res) => {
  const { lang = 'en' } = req.query
  if (!languages.includes(lang)) return res.status(400).json({ error: 'unknown_language' })
  const page = await pageFor(req.params.id, lang)
  res.locals.page = page
  if (page.edition !== undefined) res.set('X-Edition', String(page.edition))
  res.status(page.status).set('Content-Language', lang).type('html').send(page.html)
})

app.post('/articles/:id/refresh', (req, res) => {
  refresh(req.params.id)
  res.status(204).end()
})

app.get('/metrics', (req, res) => {
  res.json(report())
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (error instanceof UpstreamError) return res.status(502).json({ error: 'upstream_failed' })
  res.status(error.status ?? 500).json({ error: 'internal_error' })
})

app.listen(Number(PORT), HOST)
