import http from 'node:http'

/** @type {unknown[]} */
const kept = []

http.createServer(async (req, res) => {
  const answer = await fetch(`${process.env.UPSTREAM_URL}${req.url}`)
  // Filled, so that the pages are really there.
  kept.push(Array.from({ length: 20_000 }, (_, i) => i + 0.5))
  res.end(await answer.text())
}).listen(Number(process.env.PORT), process.env.HOST)
