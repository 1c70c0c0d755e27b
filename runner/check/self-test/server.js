import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

/**
 * A server whose speed is set: each answer costs `units` of the same work (work.json in DATA_DIR), divided by the ratio in
 * ratio.json beside this file, where there is one. `overhead` is what an answer costs without any work, in units: with
 * it, the ratio holds for whole answers.
 */

const { units, overhead } = JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR ?? '', 'work.json'), 'utf8'))
const ratio = fs.existsSync('ratio.json') ? JSON.parse(fs.readFileSync('ratio.json', 'utf8')) : 1
const rounds = Math.max(0, Math.round(1000 * ((units + overhead) / ratio - overhead)))

http.createServer((req, res) => {
  res.setHeader('Content-Type', 'text/plain')
  const word = (req.url ?? '').slice(1)
  const x = word === 'healthz' ? 1 : work(rounds)
  // Never true, but a compiler cannot know it, and does the work.
  res.end(x === 0 ? '' : [...word].reverse().join(''))
}).listen(Number(process.env.PORT), process.env.HOST)

/** Marsaglia's xorshift (2003), so many times. @param {number} times */
function work (times) {
  let x = 0x2545f491
  for (let i = 0; i < times; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
  }
  return x
}
