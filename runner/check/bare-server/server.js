import http from 'node:http'

// What Node.js answers when there is nothing to do: the limit that no server on this machine exceeds.
http.createServer((req, res) => {
  req.resume()
  res.setHeader('Content-Type', 'text/plain')
  res.end('ok')
}).listen(Number(process.env.PORT), process.env.HOST)
