import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { dotPlot, histogram } from '../../lessons/shared/plot.js'
import { createTheme } from '../../runner/report/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'

const run = promisify(execFile)
const script = path.join(workshopRoot, 'lessons', '12-overload', 'send.js')

/** @param {string[]} args @returns what a server saw, and what was printed */
async function sendTo (args) {
  const seen = { orders: 0, connections: 0 }
  const server = http.createServer((req, res) => {
    req.resume().on('end', () => {
      if (req.method === 'GET') res.end()
      else res.writeHead(seen.orders++ % 2 === 0 ? 201 : 503).end()
    })
  }).on('connection', () => { seen.connections++ })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    const env = { ...process.env, PORT: String(port), COLUMNS: '60', NO_COLOR: '1' }
    const { stdout } = await run(process.execPath, [script, ...args], { env })
    return { ...seen, stdout }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

for (const way of [[], ['new'], ['pool']]) {
  test(`npm run send ${way} sends as many orders as it was told`, async () => {
    const { orders, connections, stdout } = await sendTo(['40', '0.5', ...way])
    assert.equal(orders, 20)
    // One more finds out whether the server is there.
    if (way[0] !== 'pool') assert.equal(connections, 21)
    assert.match(stdout, /^201: 10 orders, median \d+ ms, p99 \d+ ms, longest \d+ ms\n503: 10 orders, median /m)
    assert.match(stdout, /^Quotes within 250 ms: \d+ of 20 orders, which is \d+ %, or \d+ per second$/m)
    assert.ok(stdout.split('\n').slice(1, 18).every((line) => /^[ -~]{0,60}$/.test(line)), stdout)
  })
}

test('npm run send says what it needs', async () => {
  await assert.rejects(run(process.execPath, [script]), { code: 2, stderr: /^Say how many orders per second/ })
  const unknown = run(process.execPath, [script, '40', '1', 'old'])
  await assert.rejects(unknown, { code: 2, stderr: /npm run send 400 3 pool/ })
})

test('a picture has a dot for each request, the longest at the top and the last on the right', () => {
  const [good, bad] = [{ atMs: 0, tookMs: 5, isGood: true }, { atMs: 1000, tookMs: 1300, isGood: false }]
  const requests = [good, good, { atMs: 500, tookMs: 700, isGood: true }, bad]
  const lines = dotPlot(requests, { goalMs: 250, paper: createTheme({ columns: 40 }) })
  assert.equal(lines.length, 15)
  assert.equal(lines[0], `${' '.repeat(39)}x`)
  assert.match(lines[6], /^ {24}\.$/)
  assert.match(lines[11], /^ {4}goal -{31}$/)
  assert.equal(lines[13], '    0 ms :')
  assert.match(lines[14], /^ {9}0 +1\.0 s$/)
})

test('a histogram has a bar for each span of time that any request took', () => {
  assert.deepEqual(histogram([3, 3, 3, 3, 150], createTheme({ columns: 40 })), [
    '     under 5 ms      4 ################',
    '    under 10 ms      0',
    '    under 20 ms      0',
    '    under 50 ms      0',
    '   under 100 ms      0',
    '   under 200 ms      1 ####'
  ])
})
