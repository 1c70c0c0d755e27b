import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const secret = fs.readFileSync(path.join(process.env.DATA_DIR ?? '.', 'secret.txt'), 'utf8')

http.createServer((req, res) => {
  const n = Number(req.url?.slice(1))
  res.setHeader('Content-Type', 'application/json')
  if (!Number.isInteger(n)) {
    res.statusCode = 404
    return res.end('{"error":"not_found"}')
  }
  res.end(JSON.stringify({ next: n + 1, secret }))
}).listen(Number(process.env.PORT), process.env.HOST)
