import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'
import { panorama } from './panorama.js'

const terrain = JSON.parse(readFileSync(path.join(process.env.DATA_DIR ?? '.', 'terrain.json'), 'utf8'))
const last = (terrain.size - 1) * terrain.cell - 100

const server = restify.createServer({ name: 'renderer' })
server.get('/panorama/:x/:y', (req, res, next) => {
  const [x, y] = [req.params.x, req.params.y].map((text) => /^\d{1,5}$/.test(text) ? Number(text) : NaN)
  const onMap = Math.min(x, y) >= 100 && Math.max(x, y) <= last
  res.json(onMap ? 200 : 404, onMap ? panorama(terrain, x, y) : { error: 'not_found' })
  next()
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('disconnect', () => process.exit())
