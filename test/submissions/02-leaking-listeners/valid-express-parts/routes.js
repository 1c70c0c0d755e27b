import { readFileSync } from 'node:fs'
import path from 'node:path'
import Router from 'router'
import { sendError, sendJson } from './send.js'
import { tagOf } from './tags.js'

const { data } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'seed.json'), 'utf8'))

export const router = new Router()

router.get('/seed/v1', (req, res) => {
  const content = { data, url: req.url }
  res.setHeader('ETag', tagOf(content))
  res.setHeader('Cache-Control', 'public, max-age=120')
  sendJson(res, 200, { ...content, ts: Date.now() })
})

router.all('/seed/v1', (req, res) => {
  res.setHeader('Allow', 'GET')
  sendError(res, 405, 'MethodNotAllowed', `${req.method} is not allowed`)
})
