import { readFileSync } from 'node:fs'
import path from 'node:path'
import { panorama } from './panorama.js'

const terrain = JSON.parse(readFileSync(path.join(process.env.DATA_DIR ?? '.', 'terrain.json'), 'utf8'))

process.on('message', ({ x, y }) => process.send(panorama(terrain, x, y)))
process.on('disconnect', () => process.exit())
process.send('ready')
