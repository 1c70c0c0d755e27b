import http from 'node:http'
import { fetchArticle, UpstreamError } from '../../../../solutions/13-memory-leak/newsroom.js'
import { articlePage, languages, notFoundPage } from '../../../../solutions/13-memory-leak/pages.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
const MOST_ARTICLES = 60

const totals = { answers: {}, bytes: 0, slowestMs: 0 }
/** By article: its pages as buffers, or promises of them, by language. A refresh drops them all at once. */
const shelf = new Map()

const server = http.createServer(async (req, res) => {
  const startedAt = performance.now()
  const url = new URL(`http://localhost${req.url}`)
  const [, root, name, action, more] = url.pathname.split('/')
  const asked = route(req.method, root, name, action, more, url.searchParams)
  const answer = await asked.catch((error) => error instanceof UpstreamError
    ? json(502, { error: 'upstream_failed' })
    : json(500, { error: 'internal_error' }))
  res.writeHead(answer.status, { 'Content-Length': answer.body.length, ...answer.headers }).end(answer.body)
  if (root !== 'articles') return
  totals.answers[answer.status] = (totals.answers[answer.status] ?? 0) + 1
  if (answer.headers['Content-Language']) totals.bytes += answer.body.length
  totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
})

async function route (method, root, name, action, more, query) {
  if (method === 'GET' && root === 'metrics' && name === undefined) return json(200, totals)
  if (root !== 'articles' || !name || more !== undefined) return json(404, { error: 'not_found' })
  const id = decodeURIComponent(name)
  if (method === 'POST' && action === 'refresh') {
    shelf.delete(id)
    return { status: 204, headers: {}, body: Buffer.alloc(0) }
  }
  if (method !== 'GET' || action !== undefined) return json(404, { error: 'not_found' })
  const lang = query.get('lang') ?? 'en'
  return languages.includes(lang) ? pageOf(id, lang) : json(400, { error: 'unknown_language' })
}

function pageOf (id, lang) {
  const pages = shelf.get(id) ?? new Map()
  shelf.delete(id)
  shelf.set(id, pages)
  if (shelf.size > MOST_ARTICLES) shelf.delete(shelf.keys().next().value)
  if (!pages.has(lang)) {
    const promise = make(id, lang)
    pages.set(lang, promise)
    // Neither failures nor articles that there are not stay.
    promise.then((page) => page.status === 404 && drop(id, pages), () => drop(id, pages))
  }
  return pages.get(lang)

  function drop (id, pages) {
    pages.delete(lang)
    if (pages.size === 0 && shelf.get(id) === pages) shelf.delete(id)
  }
}

async function make (id, lang) {
  const article = await fetchArticle(id, lang)
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Language': lang }
  if (!article) return { status: 404, headers, body: Buffer.from(notFoundPage(lang)) }
  return {
    status: 200,
    headers: { ...headers, 'X-Edition': String(article.edition) },
    body: Buffer.from(articlePage(article))
  }
}

function json (status, value) {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(value))
  }
}

server.listen(Number(PORT), HOST)
