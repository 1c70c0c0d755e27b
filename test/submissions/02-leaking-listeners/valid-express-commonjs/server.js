'use strict'

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const express = require('express')

const { data } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'seed.json'), 'utf8'))
const app = express()
const tags = new Map()

app.get('/seed/v1', (req, res) => {
  const url = req.originalUrl
  res.set({ ETag: tagOf(url), 'Cache-Control': 'public, max-age=120' })
  res.json({ data, url, ts: Date.now() })
})

app.all('/seed/v1', (req, res) => {
  res.set('Allow', 'GET').status(405).json({ code: 'MethodNotAllowed', message: `${req.method} is not allowed` })
})

app.use((req, res) => {
  res.status(404).json({ code: 'ResourceNotFound', message: `${req.path} does not exist` })
})

app.listen(Number(process.env.PORT), process.env.HOST)

function tagOf (url) {
  if (!tags.has(url)) {
    // The tag can be computed anew at any time: dropping them all bounds the memory.
    if (tags.size >= 10_000) tags.clear()
    tags.set(url, `"${createHash('sha256').update(JSON.stringify({ data, url })).digest('hex')}"`)
  }
  return tags.get(url)
}
