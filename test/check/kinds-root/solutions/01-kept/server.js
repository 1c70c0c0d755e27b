import http from 'node:http'

http.createServer(async (req, res) => {
  const answer = await fetch(`${process.env.UPSTREAM_URL}${req.url}`)
  res.end(await answer.text())
}).listen(Number(process.env.PORT), process.env.HOST)
