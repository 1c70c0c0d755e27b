import express from 'express'
import { fetchArticle, UpstreamError } from './newsroom.js'
import { measure, report } from './metrics.js'
import { createPageCache } from './page-cache.js'
import { articlePage, languages, notFoundPage } from './pages.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
const MOST_PAGES = 200

const app = express()
app.disable('x-powered-by')

app.use('/articles', measure)

const cache = createPageCache({ most: MOST_PAGES, make: makePage })

app.get('/articles/:id', async (req, res) => {
  const { lang = 'en' } = req.query
  if (!languages.includes(lang)) return res.status(400).json({ error: 'unknown_language' })

  const page = await cache.get(req.params.id, lang)
  res.locals.page = page
  if (page.edition !== undefined) res.set('X-Edition', String(page.edition))
  res.status(page.status).set('Content-Language', lang).type('html').send(page.html)
})

app.post('/articles/:id/refresh', (req, res) => {
  cache.forget(req.params.id, languages)
  res.status(204).end()
})

app.get('/metrics', (req, res) => {
  res.json(report())
})

async function makePage (id, lang) {
  const article = await fetchArticle(id, lang)
  // Pages that don't exist aren't kept: a client can request any number of them.
  const page = article
    ? { status: 200, html: articlePage(article), edition: article.edition, keep: true }
    : { status: 404, html: notFoundPage(lang), keep: false }
  return { ...page, bytes: Buffer.byteLength(page.html) }
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
