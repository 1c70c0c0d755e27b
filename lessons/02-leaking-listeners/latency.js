/**
 * Requests a URL again and again, one request after the other, and draws how long a response takes: a row for every
 * hundred requests, with their median, and a bar that is compared with the first row's. It needs nothing but Node.js.
 */
const [url = '', requests = '1500'] = process.argv.slice(2)
const perRow = 100
const [firstBar, longestBar] = [2, 60]

if (!/^https?:\/\//.test(url)) {
  console.error('Name a URL, and how many requests if not 1500: node latency.js http://127.0.0.1:3000/ 1500')
  process.exit(1)
}

let first = 0
for (let row = 1; row <= Number(requests) / perRow; row++) {
  const times = []
  for (let count = 0; count < perRow; count++) {
    const start = performance.now()
    await (await fetch(url)).arrayBuffer()
    times.push(performance.now() - start)
  }
  const median = times.sort((a, b) => a - b)[perRow / 2]
  first ||= median
  const bar = '#'.repeat(Math.min(longestBar, Math.round(median / first * firstBar)))
  console.log(`${String(row * perRow).padStart(6)}  ${median.toFixed(2).padStart(6)} ms  ${bar}`)
}
