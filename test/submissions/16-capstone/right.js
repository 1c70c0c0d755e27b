import fs from 'node:fs'
import { patch } from '../apply.js'

const solution = (/** @type {string} */ file) =>
  fs.readFileSync(new URL(`../../../solutions/16-capstone/${file}`, import.meta.url), 'utf8')

export default [
  {
    name: 'valid-other-ways',
    on: 'solution',
    why: 'The same faults, removed by other means: one text to search, fetch, a report made on demand.',
    files: 'right/other-ways',
    change: patch`
      @@ reviews.js
       let count = 0
      +let made
      @@
      -/** For each genre: how many reviews its films have, by how many people, and their mean number of stars. */
      +/** Made anew when somebody asks and something has changed. */
       export function report () {
      +  made ??= makeReport()
      +  return made
      +}
      +
      +function makeReport () {
      @@
         count++
      +  made = undefined
    `
  },
  {
    name: 'valid-some-fixed',
    on: 'slow',
    why: 'Some of the faults are removed; log and settings are as slow as before.',
    change: {
      'catalogue.js': solution('catalogue.js'),
      'login.js': solution('login.js'),
      'reviews.js': solution('reviews.js'),
      ...patch`
        @@ access-log.js
        -        durationMs: performance.now() - startedAt,
        -        headers: req.headers,
        -        trace: new Error('answered').stack
        +        durationMs: performance.now() - startedAt
        @@ offers.js
        -const agent = new http.Agent({ maxSockets: 2 })
        +const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
        @@
        -/** What a film costs and how many there are: both change all the time. */
        +/** What a film costs and how many there are: both change all the time. Neither call needs the \
          other's answer. */
         export async function offerFor (film) {
        -  const { price } = await ask('prices', film)
        -  const { stock } = await ask('stock', film)
        +  const [{ price }, { stock }] = await Promise.all([ask('prices', film), ask('stock', film)])
        @@ server.js
        -import { gzipSync } from 'node:zlib'
        @@
        -import { allFilms, filmById, search } from './catalogue.js'
        +import { catalogue, catalogueGzipped, filmById, search } from './catalogue.js'
        @@
        -  const text = JSON.stringify(allFilms())
           res.type('json').set('Vary', 'Accept-Encoding')
        -  if (!/\bgzip\b/.test(req.get('accept-encoding') ?? '')) return res.send(text)
        -  res.set('Content-Encoding', 'gzip').send(gzipSync(text, { level: 9 }))
        +  if (!/\bgzip\b/.test(req.get('accept-encoding') ?? '')) return res.send(catalogue)
        +  res.set('Content-Encoding', 'gzip').send(catalogueGzipped)
        @@
        -  res.json(search(text, limit))
        +  res.type('json').send(\`[\${search(text, limit).join()}]\`)
        @@
        -  res.json(report(allFilms()))
        +  res.json(report())
        @@
        -app.post('/login', express.json(), (req, res) => {
        +app.post('/login', express.json(), async (req, res) => {
        @@
        -  const token = logIn(email, password)
        +  const token = await logIn(email, password)
      `
    }
  }
]
