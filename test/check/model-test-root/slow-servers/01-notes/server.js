import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const file = path.join(process.env.DATA_DIR ?? '.', 'notes.json')
const notes = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : []

http.createServer(async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  const answer = (/** @type {number} */ status, /** @type {unknown} */ value, headers = {}) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
  const id = Number(/^\/notes\/(\d+)$/.exec(req.url ?? '')?.[1])
  if (req.method === 'POST') {
    const note = { id: notes.length + 1, text: JSON.parse(body).text }
    notes.push(note)
    fs.writeFileSync(file, JSON.stringify(notes))
    return answer(201, note, { Location: `/notes/${note.id}` })
  }
  if (req.url === '/notes') return answer(200, notes)
  if (notes[id - 1] === undefined) return answer(404, { error: 'not_found' })
  answer(200, notes[id - 1])
}).listen(Number(process.env.PORT), process.env.HOST)
