// Prepared bytes, and tags that are kept only to save hashes: a dropped one is made again, the same.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = process.cwd() } = process.env
const mostTags = 5000

const { data } = JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8'))
const dataJson = JSON.stringify(data)
const dataHash = createHash('sha512').update(dataJson).digest()
const head = Buffer.from(`{"data":${dataJson},"url":`)

/** Only what saves a hash: a tag that was dropped is made again, the same as before. */
const tags = new Map()

const server = createServer((req, res) => {
  const { url, method } = req
  const query = url.indexOf('?')
  const pathname = query < 0 ? url : url.slice(0, query)
  if (pathname !== '/seed/v1') return fail(res, 404, 'ResourceNotFound', `${pathname} does not exist`)
  if (method !== 'GET') {
    res.setHeader('Allow', 'GET')
    return fail(res, 405, 'MethodNotAllowed', `${method} is not allowed`)
  }
  const tail = Buffer.from(`${JSON.stringify(url)},"ts":${Date.now()}}`)
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': head.length + tail.length,
    'Cache-Control': 'public, max-age=120',
    ETag: tagOf(url)
  })
  res.end(Buffer.concat([head, tail]))
})
server.listen(Number(PORT), HOST)

function tagOf (url) {
  const known = tags.get(url)
  if (known !== undefined) return known
  const tag = `W/"${createHash('sha512').update(dataHash).update(url).digest('hex')}"`
  if (tags.size >= mostTags) tags.delete(tags.keys().next().value)
  tags.set(url, tag)
  return tag
}

function fail (res, status, code, message) {
  const body = Buffer.from(JSON.stringify({ code, message }))
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  res.end(body)
}
