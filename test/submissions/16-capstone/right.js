import { lines } from '../apply.js'

export default [
  {
    name: 'valid-other-ways',
    on: 'solution',
    why: 'The same faults, removed by other means: one text to search, fetch, a report made on demand.',
    files: 'right/other-ways',
    change: {
      'reviews.js': [
        [lines`
          let count = 0
        `, lines`
          let count = 0
          let made
        `],
        [lines`
          /** For each genre: how many reviews its films have, by how many people, and their mean number of stars. */
          export function report () {
        `, lines`
          /** Made anew when somebody asks and something has changed. */
          export function report () {
            made ??= makeReport()
            return made
          }

          function makeReport () {
        `],
        [lines`
            count++
        `, lines`
            count++
            made = undefined
        `]
      ]
    }
  },
  {
    name: 'valid-some-mended',
    on: 'slow',
    why: 'Some of the faults are removed; the login and the reviews are as slow as before.',
    files: 'right/some-mended',
    change: {
      'access-log.js': [
        [lines`
                  durationMs: performance.now() - startedAt,
                  headers: req.headers,
                  trace: new Error('answered').stack
        `, lines`
                  durationMs: performance.now() - startedAt
        `]
      ],
      'offers.js': [
        ['maxSockets: 2', 'keepAlive: true, maxSockets: 64'],
        ['time. */', "time. Neither call needs the other's answer. */"],
        [lines`
            const { price } = await ask('prices', film)
            const { stock } = await ask('stock', film)
        `, lines`
            const [{ price }, { stock }] = await Promise.all([ask('prices', film), ask('stock', film)])
        `]
      ],
      'server.js': [
        [lines`
          import { gzipSync } from 'node:zlib'
        `, ''],
        ['allFilms, filmById', 'catalogue, catalogueGzipped, filmById, films'],
        [lines`
            const text = JSON.stringify(allFilms())
            res.type('json').set('Vary', 'Accept-Encoding')
            if (!/\bgzip\b/.test(req.get('accept-encoding') ?? '')) return res.send(text)
            res.set('Content-Encoding', 'gzip').send(gzipSync(text, { level: 9 }))
        `, lines`
            res.type('json').set('Vary', 'Accept-Encoding')
            if (!/\bgzip\b/.test(req.get('accept-encoding') ?? '')) return res.send(catalogue)
            res.set('Content-Encoding', 'gzip').send(catalogueGzipped)
        `],
        [lines`
            res.json(search(text, limit))
        `, lines`
            res.type('json').send(\`[\${search(text, limit).join()}]\`)
        `],
        ['report(allFilms())', 'report(films)']
      ]
    }
  }
]
