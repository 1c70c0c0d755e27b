'use strict'
const http = require('node:http')
const finalhandler = require('finalhandler')
const Router = require('router')
const { openCache } = require('./cache.js')
const metrics = require('./metrics.js')

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

start()

async function start () {
  const { fetchArticle, UpstreamError } = await import('../../../../solutions/13-memory-leak/newsroom.js')
  const { articlePage, languages, notFoundPage } = await import('../../../../solutions/13-memory-leak/pages.js')

  const cache = openCache(async (id, lang) => {
    const article = await fetchArticle(id, lang)
    return article
      ? { status: 200, html: Buffer.from(articlePage(article)), edition: article.edition }
      : { status: 404, html: Buffer.from(notFoundPage(lang)) }
  })

  const router = Router()

  router.get('/articles/:id', async (req, res) => {
    // As Express has it: the same name twice is a list, and no language.
    const [lang, ...more] = new URLSearchParams(req.url.split('?')[1]).getAll('lang')
    if (more.length > 0 || (lang !== undefined && !languages.includes(lang))) {
      return sendJson(res, 400, { error: 'unknown_language' })
    }
    const { status, html, edition } = await cache.get(req.params.id, lang ?? 'en')
    res.pageBytes = html.length
    if (edition !== undefined) res.setHeader('X-Edition', String(edition))
    res.writeHead(status, {
      'Content-Language': lang ?? 'en',
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': html.length
    }).end(html)
  })

  router.post('/articles/:id/refresh', (req, res) => {
    cache.forget(req.params.id, languages)
    res.writeHead(204).end()
  })

  router.get('/metrics', (req, res) => sendJson(res, 200, metrics.totals))
  router.use((req, res) => sendJson(res, 404, { error: 'not_found' }))
  router.use((error, req, res, next) => {
    if (res.headersSent) return next(error)
    if (error instanceof UpstreamError) return sendJson(res, 502, { error: 'upstream_failed' })
    sendJson(res, error.status ?? 500, { error: 'internal_error' })
  })

  http.createServer((req, res) => {
    if (/^\/articles(?![^/?])/.test(req.url)) metrics.measure(res)
    router(req, res, finalhandler(req, res))
  }).listen(Number(PORT), HOST)
}

function sendJson (res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  }).end(body)
}
