import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { Catalogue, type Fields } from './catalogue.ts'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const catalogue = new Catalogue(JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8')))

createServer((req, res) => {
  const [pathname] = (req.url ?? '/').split('?')
  const id = /^\/movies\/([^/]+)$/.exec(pathname)?.[1]
  if (pathname === '/movies' && req.method === 'GET') return sendList(req, res)
  if (pathname === '/movies' && req.method === 'POST') return void add(req, res)
  const movie = id === undefined ? undefined : catalogue.find(Number(id))
  if (movie) send(res, 200, movie)
  else send(res, 404, { error: 'not_found' })
}).listen(Number(PORT), HOST)

function sendList (req: IncomingMessage, res: ServerResponse): void {
  const { body, etag } = catalogue.page()
  const condition = req.headers['if-none-match']
  if (condition !== undefined && isCurrent(condition, etag)) {
    res.writeHead(304, { ETag: etag }).end()
    return
  }
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length, ETag: etag }).end(body)
}

/** If-None-Match: `*`, a tag or a list of them, compared weakly. */
function isCurrent (condition: string, etag: string): boolean {
  const tags = condition.match(/"[^"]*"/g) ?? []
  return condition.trim() === '*' || tags.includes(etag)
}

async function add (req: IncomingMessage, res: ServerResponse): Promise<void> {
  let fields: Fields
  try {
    fields = await json(req) as Fields
  } catch {
    return send(res, 400, { error: 'invalid_json' })
  }
  if (!fields?.Title) return send(res, 400, { error: 'invalid_movie' })
  const movie = catalogue.add(fields)
  res.setHeader('Location', `/movies/${movie.id}`)
  send(res, 201, movie)
}

function send (res: ServerResponse, status: number, value: object): void {
  const body = Buffer.from(JSON.stringify(value))
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }).end(body)
}
