import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { work } from './work.js'

/** A server whose answers cost `units` of work each (work.json in DATA_DIR). */

const { units } = JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR ?? '', 'work.json'), 'utf8'))

http.createServer((req, res) => {
  res.setHeader('Content-Type', 'text/plain')
  const word = (req.url ?? '').slice(1)
  if (word !== 'healthz') res.setHeader('X-Fields', work(units))
  res.end([...word].reverse().join(''))
}).listen(Number(process.env.PORT), process.env.HOST)
