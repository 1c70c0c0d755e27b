import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { createContent } from './content.js'
import { createRouter } from './routes.js'

const { PORT, HOST, DATA_DIR } = process.env
const content = createContent(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
const router = createRouter(content)

http.createServer((req, res) => router.lookup(req, res)).listen(Number(PORT), HOST)
