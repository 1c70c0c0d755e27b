import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const { serviceMs } = JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR ?? '.', 'machine.json'), 'utf8'))
let freeAt = 0

http.createServer((req, res) => {
  if (req.url !== '/work') {
    res.statusCode = 404
    return res.end()
  }
  freeAt = Math.max(freeAt, performance.now()) + serviceMs
  setTimeout(() => res.end('done'), freeAt - performance.now())
}).listen(Number(process.env.PORT), process.env.HOST)
