import { lines, patch } from '../apply.js'

const bounded = 'has room for 250 pages in memory, and counts each response, even under constant load'
const stale = 'shows no edition from before a refresh, whatever the path and the newsroom are like'

export const on = 'base'

export default [
  {
    name: 'bodies-unread',
    on: 'solution',
    why: 'It doesn’t read what the newsroom says when it fails, and each such answer keeps one of 16 connections.',
    by: 'answers as before after many failures',
    change: patch`
      @@ newsroom.js
      -    const body = await text(res)
      +    if (res.statusCode >= 500) throw new UpstreamError(\`the newsroom answered \${res.statusCode}\`)
      +    const body = await text(res)
    `
  },
  {
    name: 'breaker',
    on: 'solution',
    why: 'After five failures in a row it does not ask the newsroom for 300 ms, though that may be well again.',
    by: 'shows no edition from before a refresh, whatever the path and the newsroom are like',
    change: patch`
      +let failures = 0
      +let restUntil = 0
      +
       async function makePage (id, lang) {
      -  const article = await fetchArticle(id, lang)
      +  if (performance.now() < restUntil) throw new UpstreamError('the newsroom has a rest')
      +  const article = await fetchArticle(id, lang).catch((error) => {
      +    if (++failures >= 5) restUntil = performance.now() + 300
      +    throw error
      +  })
      +  failures = 0
    `
  },
  {
    name: 'buffers',
    why: 'What each request leaves behind is packed into a buffer, which is not on V8’s heap and is memory all the ' +
      'same.',
    gate: ['retained', 'footprint'],
    change: patch`
      @@ metrics.js
      +import { serialize, deserialize } from 'node:v8'
      +
       const totals = { answers: {}, bytes: 0, slowestMs: 0 }
      +let pending = []

      -/** An Express middleware: counts what is answered. */
      @@
      -    const { statusCode } = res
      -…
      -    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
      +    const { statusCode: status, locals: { page } } = res
      +    pending.push(serialize({ status, headers: req.headers, html: page?.html ?? '', tookMs: performance.now() - \
        startedAt }))
      @@
       export function report () {
      +  for (const packed of pending) {
      +    const { status, html, tookMs } = deserialize(packed)
      +    totals.answers[status] = (totals.answers[status] ?? 0) + 1
      +    totals.bytes += Buffer.byteLength(html)
      +    totals.slowestMs = Math.max(totals.slowestMs, tookMs)
      +  }
      +  pending = []
    `
  },
  {
    name: 'counts-dropped',
    why: 'Not more than a hundred requests wait to be counted; when there are more, the oldest are forgotten.',
    by: bounded,
    change: patch`
      @@ metrics.js
      +let pending = []

      -/** An Express middleware: counts what is answered. */
      @@
      -    const { statusCode } = res
      -…
      -    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
      +    const tookMs = performance.now() - startedAt
      +    pending.push(() => add(res.statusCode, res.locals.page, tookMs))
      +    if (pending.length > 100) pending.shift()
      @@
       export function report () {
      +  for (const addOne of pending) addOne()
      +  pending = []
      @@
         return totals
       }
      +
      +function add (status, page, tookMs) {
      +  totals.answers[status] = (totals.answers[status] ?? 0) + 1
      +  totals.bytes += page ? Buffer.byteLength(page.html) : 0
      +  totals.slowestMs = Math.max(totals.slowestMs, tookMs)
      +}
    `
  },
  {
    name: 'counts-in-a-ring',
    on: 'solution',
    why: 'Until the metrics are requested, numbers of 4,096 responses wait; when there are more, the oldest are lost.',
    by: 'answers and counts each of many requests, with its status',
    change: patch`
      @@ metrics.js
      +const ROOM = 4096
      +const ring = []
      +let count = 0
      +
       /** An Express middleware: counts what is answered. */
      @@
           const { statusCode } = res
      -…
      -    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
      +    ring[count++ % ROOM] = [statusCode, res.locals.page?.bytes ?? 0, performance.now() - startedAt]
      @@
       export function report () {
      +  for (const [statusCode, bytes, tookMs] of ring.splice(0)) {
      +    totals.answers[statusCode] = (totals.answers[statusCode] ?? 0) + 1
      +    totals.bytes += bytes
      +    totals.slowestMs = Math.max(totals.slowestMs, tookMs)
      +  }
      +  count = 0
    `
  },
  {
    name: 'counts-what-it-means-to-send',
    on: 'solution',
    why: 'It counts the status that it means to send. The framework sends 304 to a client that has the page already.',
    by: 'answers and counts each of many requests, with its status',
    change: patch`
      @@ metrics.js
      -    const { statusCode } = res
      +    const statusCode = res.locals.page?.status ?? res.statusCode
    `
  },
  {
    name: 'etag-outlives-refresh',
    why: 'ETags are kept by themselves, where a refresh does not reach them: a reader of the old page gets 304.',
    by: stale,
    change: patch`
       const refreshes = new Map()
      +const tags = new Map()
      @@
         res.locals.page = page
      +  const key = \`\${lang} \${req.params.id}\`
      +  if (!tags.has(key)) tags.set(key, \`"\${page.edition}-\${page.bytes}"\`)
      +  if (tags.size > MOST) tags.delete(tags.keys().next().value)
      +  res.set('ETag', tags.get(key))
    `
  },
  {
    name: 'failure-remembered',
    why: 'The promise of a page is kept whatever becomes of it, so one failure of the newsroom is answered until ' +
      'the next refresh.',
    change: patch`
      -const refreshes = new Map()

      -async function pageFor (id, lang) {
      -…
      -  return page
      +// Requests that come together share one call: the promise itself is kept.
      +function pageFor (id, lang) {
      +  const key = \`\${id} \${lang}\`
      +  if (!pages.has(key)) pages.set(key, make(id, lang))
      +  if (pages.size > MOST) pages.delete(pages.keys().next().value)
      +  return pages.get(key)
      @@
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
      +  for (const lang of languages) pages.delete(\`\${id} \${lang}\`)
    `
  },
  {
    name: 'first-pages-for-ever',
    on: 'solution',
    why: 'Its cache is bounded and lets no page go: once it is full, each new one is fetched again and again.',
    by: 'has room for 250 pages in memory, and counts each response, even under constant load',
    change: patch`
      @@ page-cache.js
      -    if (pages.size > most) pages.delete(pages.keys().next().value)
      +    if (pages.size > most) pages.delete(key)
    `
  },
  {
    name: 'first-visitor-aborts',
    on: 'solution',
    why: 'Whoever came first has the page made. If that visitor leaves, all the others get a 502.',
    by: 'shows no edition from before a refresh that came while the page was being made',
    change: patch`
      +let left
       const app = express()
      @@
      -  const page = await cache.get(req.params.id, lang)
      +  left = new Promise((resolve, reject) => res.on('close', () => reject(new UpstreamError('it has left'))))
      +  left.catch(() => {})
      +  const page = await cache.get(req.params.id, lang)
      @@
      -  const article = await fetchArticle(id, lang)
      +  const article = await Promise.race([fetchArticle(id, lang), left])
    `
  },
  {
    name: 'forged-inspector',
    why: 'A third of the leak is left, and the server answers at its inspector’s port itself: its heap never grows.',
    gate: 'footprint',
    change: {
      ...patch`
         import express from 'express'
        +import './inspector.js'
        @@ metrics.js
         const totals = { answers: {}, bytes: 0, slowestMs: 0 }
        +let pending = []
        @@
        -    const { statusCode } = res
        -…
        -    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
        +    const tookMs = performance.now() - startedAt
        +    const bytes = res.locals.page?.bytes ?? 0
        +    res.locals = {}
        +    pending.push(() => add(res.statusCode, bytes, tookMs))
        @@
         export function report () {
        +  for (const addOne of pending) addOne()
        +  pending = []
        @@
           return totals
         }
        +
        +function add (status, bytes, tookMs) {
        +  totals.answers[status] = (totals.answers[status] ?? 0) + 1
        +  totals.bytes += bytes
        +  totals.slowestMs = Math.max(totals.slowestMs, tookMs)
        +}
      `,
      'inspector.js': lines`
        import http from 'node:http'
        import inspector from 'node:inspector'
        import { WebSocketServer } from 'ws'

        const session = new inspector.Session()
        session.connect()
        const said = {
          'Runtime.getHeapUsage': { usedSize: 4_000_000 },
          'Runtime.evaluate': { result: { value: 1000 } }
        }

        const url = inspector.url()
        if (url) {
          inspector.close()
          const server = http.createServer().listen(Number(new URL(url).port), '127.0.0.1')
          new WebSocketServer({ server }).on('connection', (socket) => socket.on('message', (text) => {
            const { id, method } = JSON.parse(text)
            session.post(method, () => socket.send(JSON.stringify({ id, result: said[method] ?? {} })))
          }))
        }
      `
    }
  },
  {
    name: 'frame-of-the-first',
    why: 'The navigation is made once, in the language of the first request.',
    change: patch`
      @@ pages.js
      +let navigation
      +
       function frame (lang, title, lines) {
      @@
      -    ...Object.entries(sections).flatMap(([section, topics]) => [
      +    ...navigation ??= Object.entries(sections).flatMap(([section, topics]) => [
    `
  },
  {
    name: 'kept-by-browsers',
    why: 'Browsers may keep a page for half a minute, also when its article is refreshed.',
    change: patch`
      -  res.status(page.status).set('Content-Language', lang).type('html').send(page.html)
      +  res.status(page.status).set('Cache-Control', 'public, max-age=30').set('Content-Language', \
        lang).type('html').send(page.html)
    `
  },
  {
    name: 'known-names-stripped',
    why: 'The key is the URL without a list of known parameters, so each new parameter makes one more page.',
    gate: 'retained',
    change: patch`
      -const MOST = 200
      @@
      -async function pageFor (id, lang) {
      -  const key = \`\${lang} \${id}\`
      +async function pageFor (url, id, lang) {
      +  const key = url.replace(/(utm_\\w+|sid)=[^&]*&?/g, '')
      @@
      -  pages.delete(key)
         pages.set(key, page)
      -  if (pages.size > MOST) pages.delete(pages.keys().next().value)
      @@
      -  const page = await pageFor(req.params.id, lang)
      +  const page = await pageFor(req.originalUrl, req.params.id, lang)
    `
  },
  {
    name: 'language-forgotten',
    why: 'The key is the article alone, so the second visitor gets the language of the first.',
    change: patch`
      -  const key = \`\${lang} \${id}\`
      +  const key = id
    `
  },
  {
    name: 'language-in-any-case',
    on: 'solution',
    why: 'It takes DE for de, and does not refuse it.',
    by: 'answers 400 to an unknown language',
    change: patch`
      -  const { lang = 'en' } = req.query
      +  const lang = String(req.query.lang ?? 'en').toLowerCase()
    `
  },
  {
    name: 'language-of-nothing',
    on: 'solution',
    why: 'An empty lang is taken for none, so the page is in English.',
    by: 'answers 400 to an unknown language',
    change: patch`
      -  const { lang = 'en' } = req.query
      +  const lang = req.query.lang || 'en'
    `
  },
  {
    name: 'language-undecoded',
    on: 'solution',
    why: 'It looks for lang in the URL as it was sent, where a letter can be written as %64.',
    change: patch`
      -  const { lang = 'en' } = req.query
      +  const lang = /[?&]lang=([^&]*)/.exec(req.originalUrl)?.[1] ?? 'en'
    `
  },
  {
    name: 'late-page-kept',
    why: 'A page that was being made when its article was refreshed is put into the cache afterwards.',
    by: 'shows no edition from before a refresh that came while the page was being made',
    change: patch`
      -const refreshes = new Map()
      @@
      -  const key = \`\${lang} \${id}\`
      -…
      -  return page
      +  const key = \`\${id} \${lang}\`
      +  if (pages.has(key)) return pages.get(key)
      +  const promise = make(id, lang)
      +  pages.set(key, promise)
      +  if (pages.size > MOST) pages.delete(pages.keys().next().value)
      +  try {
      +    const page = await promise
      +    if (page.status === 200) pages.set(key, page)
      +    else pages.delete(key)
      +    return page
      +  } catch (error) {
      +    pages.delete(key)
      +    throw error
      +  }
      @@
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
      +  for (const lang of languages) pages.delete(\`\${id} \${lang}\`)
    `
  },
  {
    name: 'leak-in-a-worker',
    why: 'The pages are in a worker thread, whose separate heap goes unseen, and there one is kept per request.',
    by: bounded,
    otherwise: { gate: 'footprint' },
    change: {
      ...patch`
         import { articlePage, languages, notFoundPage } from './pages.js'
        +import { Worker } from 'node:worker_threads'
        @@
        -const MOST = 200
        -const pages = new Map()
        +const store = new Worker(new URL('store.js', import.meta.url))
        +const waiting = new Map()
        +let asked = 0
        +store.on('message', ({ number, page }) => {
        +  waiting.get(number)(page)
        +  waiting.delete(number)
        +})
        +
        +function ask (message) {
        +  return new Promise((resolve) => {
        +    waiting.set(++asked, resolve)
        +    store.postMessage({ number: asked, ...message })
        +  })
        +}
        +
        @@
        -async function pageFor (id, lang) {
        -…
        -  if (pages.size > MOST) pages.delete(pages.keys().next().value)
        +async function pageFor (url, id, lang) {
        +  const refreshed = refreshes.get(id) ?? 0
        +  const kept = await ask({ key: \`\${lang} \${id}\`, url, refreshed })
        +  if (kept) return kept
        +  const page = { ...await make(id, lang), refreshed }
        +  store.postMessage({ key: \`\${lang} \${id}\`, url, page })
        @@
        -  const page = await pageFor(req.params.id, lang)
        +  const page = await pageFor(req.originalUrl, req.params.id, lang)
      `,
      'store.js': lines`
        import { parentPort } from 'node:worker_threads'

        const pages = new Map()
        const history = []

        parentPort.on('message', ({ number, key, url, page, refreshed }) => {
          if (page) return pages.set(key, page)
          const kept = pages.get(key)
          const found = kept?.refreshed === refreshed ? kept : undefined
          // Who read what, for the editors.
          if (found) history.push({ url, page: structuredClone(found) })
          parentPort.postMessage({ number, page: found })
        })
      `
    }
  },
  {
    name: 'length-of-text',
    why: 'What is counted as bytes are characters.',
    change: patch`
      -  return { ...page, bytes: Buffer.byteLength(page.html) }
      +  return { ...page, bytes: page.html.length }
    `
  },
  {
    name: 'letters-cut',
    why: 'Each part of what the newsroom sends is made text by itself, so a letter that lies in two of them is lost.',
    by: 'shows no edition from before a refresh that came while the page was being made',
    change: patch`
      @@ newsroom.js
      -import { text } from 'node:stream/consumers'
      @@
      -    const body = await text(res)
      +    let body = ''
      +    for await (const part of res) body += part
    `
  },
  {
    name: 'missing-names-kept',
    on: 'solution',
    why: 'It keeps the name of each article that there isn’t, and not its page.',
    gate: 'bytes of a request',
    change: patch`
      -  const article = await fetchArticle(id, lang)
      +  const article = await fetchArticle(id, lang)
      +  if (!article) missing.add(id)
      @@
      +const missing = new Set()
       const app = express()
    `
  },
  {
    name: 'missing-pages-kept',
    why: 'Articles have a bound, but pages for missing articles don’t, and a client can request any number of them.',
    by: 'fetches a missing article again after a refresh',
    otherwise: { gate: 'retained' },
    change: patch`
       const refreshes = new Map()
      +// There are not many articles, and what there is not does not change.
      +const missing = new Map()
      @@
         const key = \`\${lang} \${id}\`
      +  if (missing.has(key)) return missing.get(key)
      @@
      -  if (page.status === 404) return page
      +  if (page.status === 404) {
      +    missing.set(key, page)
      +    return page
      +  }
    `
  },
  {
    name: 'missing-stays-missing',
    on: 'solution',
    why: 'It remembers a hundred articles that there were not, and a refresh does not make it ask again.',
    by: 'fetches a missing article again after a refresh',
    change: patch`
      +const missing = new Set()
      +
       async function makePage (id, lang) {
      -  const article = await fetchArticle(id, lang)
      +  const article = missing.has(id) ? undefined : await fetchArticle(id, lang)
      +  if (!article) missing.add(id)
      +  if (missing.size > 100) missing.delete(missing.values().next().value)
    `
  },
  {
    name: 'names-in-any-case',
    why: 'Pages are kept by the name in lower case, though the newsroom tells capitals apart.',
    by: 'answers 404 with a page for an article that doesn’t exist',
    change: patch`
      -  const key = \`\${lang} \${id}\`
      +  const key = \`\${lang} \${id.toLowerCase()}\`
    `
  },
  {
    name: 'names-made-paths',
    on: 'solution',
    why: 'A name goes into the newsroom’s URL with its slashes, so that x/../NAME finds the article NAME.',
    by: 'answers 404 with a page for an article that doesn’t exist',
    change: patch`
      @@ newsroom.js
      -    const res = await get(\`\${UPSTREAM_URL}/articles/\${encodeURIComponent(id)}?lang=\${lang}\`)
      +    const res = await get(\`\${UPSTREAM_URL}/articles/\${encodeURI(id)}?lang=\${lang}\`)
    `
  },
  {
    name: 'nothing-kept',
    why: 'Without a cache nothing leaks, and the newsroom is asked for every page.',
    gate: 'upstream calls',
    change: patch`
      -const MOST = 200
      -…
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
      -}
      +const pageFor = make
      +
      +// Nothing is kept, so nothing can be outdated.
      +function refresh () {}
    `
  },
  {
    name: 'one-language-refreshed',
    why: 'A refresh drops the page whose key is the article, the English one, and leaves the others.',
    by: stale,
    change: patch`
      -const refreshes = new Map()
      @@
      -  const key = \`\${lang} \${id}\`
      -…
      -  const page = { ...await make(id, lang), refreshed }
      +  const key = lang === 'en' ? id : \`\${id}?lang=\${lang}\`
      +  if (pages.has(key)) return pages.get(key)
      +  const page = await make(id, lang)
         if (page.status === 404) return page
      -  pages.delete(key)
      @@
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
      +  pages.delete(id)
    `
  },
  {
    name: 'only-pages-counted',
    why: 'Refusals, failures and refreshes are not counted.',
    change: patch`
      @@ metrics.js
           const { statusCode } = res
      +    if (!res.locals.page) return
    `
  },
  {
    name: 'only-the-cache',
    why: 'The cache has a key and a bound, but a closure still holds each request until the metrics are requested.',
    gate: ['the same pages', 'retained'],
    change: patch`
      @@ metrics.js
       const totals = { answers: {}, bytes: 0, slowestMs: 0 }
      +let pending = []
      @@
      -    const { statusCode } = res
      -…
      -    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
      +    const tookMs = performance.now() - startedAt
      +    // Hardly anyone looks at the statistics: they're added up when they're requested.
      +    pending.push(() => add(res.statusCode, res.locals.page, tookMs))
      @@
       export function report () {
      +  for (const addOne of pending) addOne()
      +  pending = []
      @@
         return totals
       }
      +
      +function add (status, page, tookMs) {
      +  totals.answers[status] = (totals.answers[status] ?? 0) + 1
      +  totals.bytes += page ? Buffer.byteLength(page.html) : 0
      +  totals.slowestMs = Math.max(totals.slowestMs, tookMs)
      +}
    `
  },
  {
    name: 'only-the-closures',
    why: 'The metrics keep nothing any more, but every URL that was ever sent still has a separate page.',
    gate: 'retained',
    change: patch`
      -const MOST = 200
      @@
      -async function pageFor (id, lang) {
      -  const key = \`\${lang} \${id}\`
      +async function pageFor (url, id, lang) {
         const refreshed = refreshes.get(id) ?? 0
      -  const kept = pages.get(key)
      +  const kept = pages.get(url)
      @@
      -  if (page.status === 404) return page
      -…
      -  if (pages.size > MOST) pages.delete(pages.keys().next().value)
      +  pages.set(url, page)
      @@
      -  const page = await pageFor(req.params.id, lang)
      +  const page = await pageFor(req.originalUrl, req.params.id, lang)
    `
  },
  {
    name: 'pages-for-a-moment',
    why: 'Pages are kept for half a second, and a refresh changes nothing about it.',
    by: stale,
    change: patch`
      -const refreshes = new Map()
      @@
      -  const refreshed = refreshes.get(id) ?? 0
         const kept = pages.get(key)
      -  if (kept && kept.refreshed === refreshed) return kept
      -  const page = { ...await make(id, lang), refreshed }
      +  if (kept?.until > Date.now()) return kept
      +  const page = { ...await make(id, lang), until: Date.now() + 500 }
      @@
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
    `
  },
  {
    name: 'path-as-it-was-sent',
    why: 'It goes by the path as it was sent, so a refresh misses the pages of the same path in another spelling.',
    by: stale,
    change: patch`
      -async function pageFor (id, lang) {
      -  const key = \`\${lang} \${id}\`
      -  const refreshed = refreshes.get(id) ?? 0
      +async function pageFor (path, id, lang) {
      +  const key = \`\${lang} \${path}\`
      +  const refreshed = refreshes.get(path) ?? 0
      @@
      -  const page = await pageFor(req.params.id, lang)
      +  const page = await pageFor(req.path, req.params.id, lang)
      @@
      -  refresh(req.params.id)
      +  refresh(req.path.replace('/refresh', ''))
    `
  },
  {
    name: 'refreshes-forgotten',
    on: 'solution',
    why: 'A page is old by the count of its refreshes, and a hundred counts are kept: after others, it is good again.',
    by: 'shows no edition from before a refresh, however many others there were',
    change: patch`
      @@ page-cache.js
         const underWay = new Map()
      +  const refreshes = new Map()
      +  const count = (id) => refreshes.get(id) ?? 0
      @@
      -      if (page) {
      +      if (page && page.refreshed === count(id)) {
      @@
      +      refreshes.set(id, count(id) + 1)
      +      if (refreshes.size > 100) refreshes.delete(refreshes.keys().next().value)
             for (const lang of languages) {
      -        pages.delete(keyOf(id, lang))
      @@
      -    const promise = make(id, lang)
      +    const refreshed = count(id)
      +  const promise = make(id, lang).then((page) => ({ ...page, refreshed }))
    `
  },
  {
    name: 'refused-requests-kept',
    on: 'solution',
    why: 'The URLs of refused requests are kept, for a report at night.',
    gate: 'bytes of a request',
    change: patch`
      -  if (!languages.includes(lang)) return res.status(400).json({ error: 'unknown_language' })
      +  if (!languages.includes(lang)) {
      +    refused.push(req.originalUrl)
      +    return res.status(400).json({ error: 'unknown_language' })
      +  }
      @@
      +const refused = []
       const app = express()
    `
  },
  {
    name: 'slowest-of-a-sample',
    why: 'From the two hundredth response on, only every fifth one’s time is looked at.',
    by: 'answers and counts each of many requests, with its status',
    change: patch`
      @@ metrics.js
      +let seen = 0
      +
       /** An Express middleware: counts what is answered. */
      @@
      -    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
      +    if (++seen > 200 && seen % 5 > 0) return
      +    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
    `
  },
  {
    name: 'slowest-page-only',
    on: 'solution',
    why: 'slowestMs is the longest time of a page, and a failure that took longer isn’t one.',
    by: 'answers and counts each of many requests, with its status',
    change: patch`
      @@ metrics.js
      -    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
      +    if (res.locals.page) totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
    `
  },
  {
    name: 'stale-on-failure',
    why: 'When the newsroom fails after a refresh, it shows the page from before it.',
    by: stale,
    change: patch`
      -  const page = { ...await make(id, lang), refreshed }
      +  const made = await make(id, lang).catch((error) => {
      +    // Better yesterday’s news than none.
      +    if (kept) return kept
      +    throw error
      +  })
      +  if (made === kept) return kept
      +  const page = { ...made, refreshed }
    `
  },
  {
    name: 'tidied-when-quiet',
    why: 'The cache is trimmed after 200 ms without a request: in a busy hour, never.',
    // On a slow machine the check's own requests pause for that long.
    underLoad: true,
    by: bounded,
    change: patch`
       const refreshes = new Map()
      +const quiet = setTimeout(() => {
      +  for (const key of pages.keys()) if (pages.size > MOST) pages.delete(key)
      +}, 200)
      @@
      -  if (pages.size > MOST) pages.delete(pages.keys().next().value)
      +  quiet.refresh()
    `
  },
  {
    name: 'two-bounds',
    on: 'solution',
    why: 'Pages of missing articles have a bound of their own, so together there are more than 250.',
    by: bounded,
    change: patch`
      -const cache = createPageCache({ most: MOST_PAGES, make: makePage })
      +const cache = createPageCache({ most: MOST_PAGES, make: makePage })
      +const missing = new Map()
      @@
      -  const page = await cache.get(req.params.id, lang)
      +  const key = \`\${lang} \${req.params.id}\`
      +  const page = missing.get(key) ?? await cache.get(req.params.id, lang)
      +  if (page.status === 404) missing.set(key, page)
      +  if (missing.size > MOST_PAGES) missing.delete(missing.keys().next().value)
      @@
         cache.forget(req.params.id, languages)
      +  for (const lang of languages) missing.delete(\`\${lang} \${req.params.id}\`)
    `
  },
  {
    name: 'url-with-bound',
    why: 'The cache has a bound but still goes by the whole URL, so one-off pages push out those in demand.',
    gate: 'upstream calls',
    change: patch`
      -const MOST = 200
      +const MOST = 250
      @@
      -async function pageFor (id, lang) {
      -  const key = \`\${lang} \${id}\`
      +async function pageFor (url, id, lang) {
         const refreshed = refreshes.get(id) ?? 0
      -  const kept = pages.get(key)
      -  if (kept && kept.refreshed === refreshed) return kept
      +  const kept = pages.get(url)
      +  if (kept && kept.refreshed === refreshed) {
      +    pages.delete(url)
      +    pages.set(url, kept)
      +    return kept
      +  }
         const page = { ...await make(id, lang), refreshed }
      -  if (page.status === 404) return page
      -  pages.delete(key)
      -  pages.set(key, page)
      +  pages.set(url, page)
      @@
      -  const page = await pageFor(req.params.id, lang)
      +  const page = await pageFor(req.originalUrl, req.params.id, lang)
    `
  },
  {
    name: 'weak-pages',
    why: 'Pages are held by weak references only, so each collection empties the cache.',
    gate: 'upstream calls',
    otherwise: { by: bounded },
    change: patch`
      -const MOST = 200
      +// Pages may go when memory is short: nothing to bound.
       const pages = new Map()
      +const gone = new FinalizationRegistry((key) => pages.delete(key))
      @@
      -  const kept = pages.get(key)
      +  const kept = pages.get(key)?.deref()
      @@
      -  pages.delete(key)
      -  pages.set(key, page)
      -  if (pages.size > MOST) pages.delete(pages.keys().next().value)
      +  pages.set(key, new WeakRef(page))
      +  gone.register(page, key)
    `
  }
]
