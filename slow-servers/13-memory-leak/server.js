import express from 'express'
import { fetchArticle, UpstreamError } from './newsroom.js'
import { measure, report } from './metrics.js'
import { articlePage, languages, notFoundPage } from './pages.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')

app.use('/articles', measure)

// Rendered pages. The newsroom answers slowly, and the same few articles are read all day.
const cache = new Map()
// How often an article was refreshed. A page from before its last refresh is not shown again.
const refreshes = new Map()

app.get('/articles/:id', async (req, res) => {
  const { lang = 'en' } = req.query
  if (!languages.includes(lang)) return res.status(400).json({ error: 'unknown_language' })

  const page = await pageFor(req.originalUrl, req.params.id, lang)
  res.locals.page = page
  if (page.edition !== undefined) res.set('X-Edition', String(page.edition))
  res.status(page.status).set('Content-Language', lang).type('html').send(page.html)
})

app.post('/articles/:id/refresh', (req, res) => {
  const { id } = req.params
  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
  res.status(204).end()
})

app.get('/metrics', (req, res) => {
  res.json(report())
})

async function pageFor (url, id, lang) {
  const refreshed = refreshes.get(id) ?? 0
  const cached = cache.get(url)
  if (cached && cached.refreshed === refreshed) return cached

  const article = await fetchArticle(id, lang)
  const page = article
    ? { status: 200, html: articlePage(article), edition: article.edition, refreshed }
    : { status: 404, html: notFoundPage(lang), refreshed }
  cache.set(url, page)
  return page
}

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (error instanceof UpstreamError) return res.status(502).json({ error: 'upstream_failed' })
  res.status(error.status ?? 500).json({ error: 'internal_error' })
})

app.listen(Number(PORT), HOST)
