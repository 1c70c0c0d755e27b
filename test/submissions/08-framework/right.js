import { patch } from '../apply.js'

export default [
  {
    name: 'valid-commonjs-lazy',
    on: 'valid-one-middleware',
    why: 'CommonJS, and what a route needs of a request is worked out when it asks for it.',
    files: 'right/commonjs-lazy',
    change: patch`
      -import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
      -…
      -import express from 'express'
      +const { createHash, createHmac, randomUUID, timingSafeEqual } = require('node:crypto')
      +const { readFileSync } = require('node:fs')
      +const path = require('node:path')
      +const express = require('express')
      @@
      -const show = (item, req) => ({ ...item, priceText: prices[req.language].format(item.price) })
      +const show = (item, req) => ({ ...item, priceText: req.price.format(item.price) })
      @@
       const app = express().disable('x-powered-by').disable('etag')
      +/** Worked out when somebody asks for it, once a request. */
      +const lazily = (name, make) => Object.defineProperty(app.request, name, {
      +  configurable: true,
      +  get () {
      +    const value = make(this)
      +    Object.defineProperty(this, name, { value })
      +    return value
      +  }
      +})
      +lazily('language', (req) => req.acceptsLanguages(...Object.keys(messages)) || 'en')
      +lazily('price', (req) => prices[req.language])
      +lazily('cookies', (req) => Object.fromEntries((req.headers.cookie ?? '').split(';')
      +  .reverse()
      +  .map((pair) => /^\s*([^=]*)="?(.*?)"?$/.exec(pair)?.slice(1) ?? [])))
      +lazily('session', ({ cookies }) => {
      +  const [id, given = ''] = (cookies.sid ?? '').replace('%2E', '.').split('.')
      +  const expected = createHmac('sha256', config.sessionSecret).update(id).digest('base64url')
      +  const session = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
      +    ? sessionsById.get(id)
      +    : undefined
      +  return session && Date.parse(session.expiresAt) > Date.now() ? session : undefined
      +})
      +const bucketOf = (key, user) => createHash('sha256').update(\`\${key}:\${user.id}\`).digest().readUInt32BE(0) % \
        100
      +lazily('features', ({ session: { user } }) => flags
      +  .filter(({ key, enabled, rollout }) => enabled && bucketOf(key, user) < rollout)
      +  .map(({ key }) => key))
      +lazily('clean', (req) => Object.fromEntries([...new URLSearchParams(req.url.split('?')[1])]
      +  .reverse()
      +  .map(([name, value]) => [name, clean(value)])))
      @@
      -  req.language = req.acceptsLanguages(...Object.keys(messages)) || 'en'
      @@
      -  const query = new URLSearchParams(req.url.split('?')[1])
      -  const [category, q, limit, offset] = [['category', ''], ['q', ''], ['limit', '10'], ['offset', '0']]
      -    .map(([name, other]) => clean(query.get(name) ?? other))
      +  const { category, q = '', limit = '10', offset = '0' } = req.clean
      @@
      -  const [, id = '', given = ''] = /(?:^|;)\s*sid="?([\w-]+)(?:\.|%2E)([\w-]*)/i.exec(req.headers.cookie ?? '') \
        ?? []
      -…
      -  res.set('Cache-Control', 'private, no-store').json({ id: session.user.id, name, email, features })
      +  if (!req.session) throw failure(401, 'not_signed_in')
      +  const { id, name, email } = req.session.user
      +  res.set('Cache-Control', 'private, no-store').json({ id, name, email, features: req.features })
    `
  },
  {
    name: 'valid-trimmed',
    on: 'slow',
    why: "The slow server's own middleware, trimmed: cheaper, on its route only, or done once at the start.",
    files: 'right/trimmed',
    change: {
      ...patch`
        @@ middleware/access-log.js
        +accessLog.enabled = debug.enabled
        +
         /** One line for every answer. */
        @@ middleware/errors.js
        +import { textOf } from '../texts.js'
        +
         const codes = {
        @@
        -    res.status(status).json({ error: { code, message: res.locals.t(code), requestId: req.id, fields: \
          error.fields } })
        +    const message = textOf(req.locale, code)
        +    res.status(status).json({ error: { code, message, requestId: req.id, fields: error.fields } })
        @@ middleware/feature-flags.js
        -    const userId = req.session.user?.id ?? req.session.id
        -    req.features = structuredClone(flags)
        +    const userId = req.session?.user?.id ?? ''
        +    req.features = flags
        @@ middleware/request-id.js
        -    res.set('X-Request-Id', req.id)
        +    res.setHeader('X-Request-Id', req.id)
      `,
      'middleware/locals.js': null
    }
  }
]
