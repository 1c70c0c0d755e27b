import http from 'node:http'

let freeAt = 0

http.createServer((req, res) => {
  freeAt = Math.max(freeAt, performance.now()) + 5
  setTimeout(() => res.end('done'), freeAt - performance.now())
}).listen(Number(process.env.PORT), process.env.HOST)
