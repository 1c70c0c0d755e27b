import { readFileSync } from 'node:fs'
import path from 'node:path'
import { panorama } from './panorama.js'

const { DATA_DIR = '.' } = process.env
const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))

process.on('message', ({ id, x, y }) => {
  process.send({ id, view: panorama(terrain, x, y) })
})
// The server is gone.
process.on('disconnect', () => process.exit())
// The server says when it is over: it may still have somebody who waits.
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})
