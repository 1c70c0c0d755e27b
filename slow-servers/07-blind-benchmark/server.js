import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

// The servers that you measure by hand: their work is real. With ITEMS=5000 it takes about half as long again.
const { PORT = 3001, HOST = '127.0.0.1', ITEMS = 3000 } = process.env

const prices = Array.from({ length: Number(ITEMS) }, (_, id) => ({ id, name: `Item ${id}`, cents: id * 7919 % 10_000 }))

const server = createServer((req, res) => {
  if (req.url === '/work') return res.end(gzipSync(JSON.stringify(prices)))
  // Stands still for a second, as a signal would make it on other systems than Windows.
  if (req.url === '/pause') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  res.writeHead(req.url === '/pause' ? 200 : 404).end()
})

// Longer than a run, so that no connection ends just when a request is sent on it.
server.keepAliveTimeout = 120_000

server.listen(Number(PORT), HOST, () => {
  const { port } = server.address()
  console.log(`Process ${process.pid} works at http://${HOST}:${port}/work`)
  process.send?.({ port })
})
process.on('disconnect', () => process.exit())
