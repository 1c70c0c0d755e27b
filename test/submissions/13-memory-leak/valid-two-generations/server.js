import express from 'express'
import { fetchArticle, UpstreamError } from '../../../../solutions/13-memory-leak/newsroom.js'
import { measure, report } from './metrics.js'
import { articlePage, languages, notFoundPage } from '../../../../solutions/13-memory-leak/pages.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')
app.use('/articles', measure)

// Two maps: what is asked for moves into the young one; when that is full, the old one goes as a whole.
const MOST = 100
let young = new Map()
let old = new Map()
const refreshed = new WeakMap()
const current = new Map()

function put (key, page) {
  if (young.size >= MOST) {
    old = young
    young = new Map()
  }
  young.set(key, page)
}

async function pageFor (id, lang) {
  const key = `${id}/${lang}`
  const kept = young.get(key) ?? old.get(key)
  if (kept) {
    if (!young.has(key)) put(key, kept)
    return kept
  }
  // A token for each article that is being fetched: a refresh makes it worthless.
  const token = current.get(id) ?? { asking: 0 }
  current.set(id, token)
  token.asking++
  try {
    const page = await make(id, lang)
    if (page.status === 200 && !refreshed.has(token)) put(key, page)
    return page
  } finally {
    if (--token.asking === 0 && current.get(id) === token) current.delete(id)
  }
}

function refresh (id) {
  for (const lang of languages) {
    young.delete(`${id}/${lang}`)
    old.delete(`${id}/${lang}`)
  }
  const token = current.get(id)
  if (token) refreshed.set(token, true)
  current.delete(id)
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
