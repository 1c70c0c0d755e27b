// Plain node:http; who asks for what is being fetched waits for the same call, unless there was a refresh since.
import http from 'node:http'
import { fetchArticle, UpstreamError } from '../../../../solutions/13-memory-leak/newsroom.js'
import { add, report } from './metrics.js'
import { articlePage, languages, notFoundPage } from '../../../../solutions/13-memory-leak/pages.js'
import { openShelf } from './shelf.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const shelf = openShelf({
  room: 250,
  languages,
  fetchPage: async (id, lang) => {
    const article = await fetchArticle(id, lang)
    return article
      ? { status: 200, html: Buffer.from(articlePage(article)), edition: article.edition }
      : { status: 404, html: Buffer.from(notFoundPage(lang)) }
  }
})

http.createServer((req, res) => {
  req.resume()
  const startedAt = performance.now()
  const at = req.url.indexOf('?')
  const pathname = at < 0 ? req.url : req.url.slice(0, at)
  const parts = pathname.split('/')
  const isCounted = parts[1]?.toLowerCase() === 'articles'
  const note = { bytes: 0 }
  if (isCounted) res.on('finish', () => add(res.statusCode, note.bytes, performance.now() - startedAt))
  handle(req, res, parts, at < 0 ? '' : req.url.slice(at + 1), note).catch((error) => {
    if (res.headersSent) return res.destroy()
    if (error instanceof UpstreamError) return sendJson(req, res, 502, { error: 'upstream_failed' })
    sendJson(req, res, error instanceof URIError ? 400 : 500, { error: 'internal_error' })
  })
}).listen(Number(PORT), HOST)

async function handle (req, res, parts, query, note) {
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  // A slash at the end means nothing.
  if (parts.length > 2 && parts.at(-1) === '') parts.pop()
  const [, place, rawId, action] = parts.map((part, i) => i === 2 ? part : part.toLowerCase())
  if (place === 'articles' && rawId && parts.length === 3 && isRead) {
    return showArticle(req, res, decodeURIComponent(rawId), query, note)
  }
  if (place === 'articles' && rawId && parts.length === 4 && action === 'refresh' && req.method === 'POST') {
    shelf.refresh(decodeURIComponent(rawId))
    return res.writeHead(204).end()
  }
  if (place === 'metrics' && parts.length === 2 && isRead) return sendJson(req, res, 200, report())
  sendJson(req, res, 404, { error: 'not_found' })
}

async function showArticle (req, res, id, query, note) {
  const asked = new URLSearchParams(query).getAll('lang')
  const lang = asked.length === 0 ? 'en' : asked[0]
  if (asked.length > 1 || !languages.includes(lang)) return sendJson(req, res, 400, { error: 'unknown_language' })

  const { status, html, edition } = await shelf.get(id, lang)
  note.bytes = html.length
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': lang,
    'Content-Length': html.length,
    ...edition === undefined ? {} : { 'X-Edition': String(edition) }
  })
  res.end(req.method === 'HEAD' ? undefined : html)
}

function sendJson (req, res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
