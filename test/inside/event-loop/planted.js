import { createServer } from 'node:http'

/** A server that blocks its thread for as long as a request asks, and says when, in µs of process.hrtime(). */

const now = () => Number(process.hrtime.bigint()) / 1000

/** @param {number} ms */
function block (ms) {
  const fromUs = now()
  for (const end = performance.now() + ms; performance.now() < end;);
  return { fromUs, toUs: now() }
}

const server = createServer((req, res) => {
  const ms = Number(new URL(req.url ?? '', 'http://host').searchParams.get('ms'))
  const planted = block(ms)
  res.end(JSON.stringify(planted))
}).listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.stdout.write(`${port}\n`)
})
