/**
 * Requests a URL again and again, one request after the other, and draws how long a response takes: a row for every
 * hundred requests, with their median, and a bar with a # for each half millisecond, so that rows of different runs
 * can be compared. It needs nothing but Node.js.
 */
const [url = '', requests = '1500', msOfSign = '0.5'] = process.argv.slice(2)
const perRow = 100
const longestBar = 60

if (!/^https?:\/\//.test(url)) {
  console.error('Name a URL, and if not 1500 and 0.5, how many requests, and how many ms a # stands for:\n' +
    'node latency.js http://127.0.0.1:3000/ 1500 0.5')
  process.exit(1)
}

for (let row = 1; row <= Number(requests) / perRow; row++) {
  const times = []
  for (let count = 0; count < perRow; count++) {
    const start = performance.now()
    await (await fetch(url)).arrayBuffer()
    times.push(performance.now() - start)
  }
  const median = times.sort((a, b) => a - b)[perRow / 2]
  const bar = '#'.repeat(Math.min(longestBar, Math.ceil(median / Number(msOfSign))))
  console.log(`${String(row * perRow).padStart(6)}  ${median.toFixed(2).padStart(6)} ms  ${bar}`)
}
