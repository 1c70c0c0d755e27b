import http from 'node:http'

let freeAt = 0

http.createServer((req, res) => {
  if (freeAt - performance.now() > 40) {
    res.statusCode = 503
    return res.end()
  }
  freeAt = Math.max(freeAt, performance.now()) + 5
  setTimeout(() => res.end('done'), freeAt - performance.now())
}).listen(Number(process.env.PORT), process.env.HOST)
