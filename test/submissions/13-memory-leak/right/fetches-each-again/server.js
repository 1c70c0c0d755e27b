import express from 'express'
import { fetchArticle, UpstreamError } from './newsroom.js'
import { measure, report } from './metrics.js'
import { articlePage, languages, notFoundPage } from './pages.js'
import { SegmentedCache } from './segmented-cache.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')

app.use('/articles', measure)

const cache = new SegmentedCache({ newcomers: 100, regulars: 140 })
// The fetches under way, by article. A refresh marks them, and what they bring is neither kept nor shown.
const fetches = new Map()

app.get('/articles/:id', async (req, res) => {
  const { lang = 'en' } = req.query
  if (!languages.includes(lang)) return res.status(400).json({ error: 'unknown_language' })

  const { id } = req.params
  const page = cache.get(id, lang) ?? await makePage(id, lang)
  res.locals.page = page
  if (page.edition !== undefined) res.set('X-Edition', String(page.edition))
  res.status(page.status).set('Content-Language', lang).type('html').send(page.html)
})

app.post('/articles/:id/refresh', (req, res) => {
  const { id } = req.params
  for (const lang of languages) cache.delete(id, lang)
  for (const fetch of fetches.get(id) ?? []) fetch.outdated = true
  res.status(204).end()
})

app.get('/metrics', (req, res) => {
  res.json(report())
})

async function makePage (id, lang) {
  const article = await newestArticle(id, lang)
  const html = article ? articlePage(article) : notFoundPage(lang)
  const page = { status: article ? 200 : 404, html, bytes: Buffer.byteLength(html), edition: article?.edition }
  cache.set(id, lang, page)
  return page
}

/** What the newsroom has, fetched after the last refresh. */
async function newestArticle (id, lang) {
  for (;;) {
    const fetch = { outdated: false }
    if (!fetches.has(id)) fetches.set(id, new Set())
    fetches.get(id).add(fetch)
    try {
      const article = await fetchArticle(id, lang)
      if (!fetch.outdated) return article
    } finally {
      const others = fetches.get(id)
      others.delete(fetch)
      if (others.size === 0) fetches.delete(id)
    }
  }
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
