import express from 'express'
import { fetchArticle, UpstreamError } from '../../../../solutions/13-memory-leak/newsroom.js'
import { measure, report } from '../../../../solutions/13-memory-leak/metrics.js'
import { articlePage, languages, notFoundPage } from '../../../../solutions/13-memory-leak/pages.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')
app.use('/articles', measure)

// Everything that the newsroom says is kept for a while, also that there is no such article: 240 pages, first in, first
// out.
const MOST = 240
const TTL_MS = 60_000
const pages = new Map()
let refreshes = 0

async function pageFor (id, lang) {
  const key = JSON.stringify([id, lang])
  const kept = pages.get(key)
  if (kept && kept.until > Date.now()) {
    pages.delete(key)
    pages.set(key, kept)
    return kept.page
  }
  const before = refreshes
  const page = await make(id, lang)
  // Some article was refreshed meanwhile. It does not matter which: this page is made again for the next visitor.
  if (before === refreshes) pages.set(key, { page, until: Date.now() + TTL_MS })
  if (pages.size > MOST) pages.delete(pages.keys().next().value)
  return page
}

function refresh (id) {
  refreshes++
  for (const lang of languages) pages.delete(JSON.stringify([id, lang]))
}

setInterval(() => {
  for (const [key, { until }] of pages) if (until <= Date.now()) pages.delete(key)
}, 10_000).unref()

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
