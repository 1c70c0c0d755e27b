import { lines } from '../apply.js'

export default [
  {
    name: '304-to-any-tag',
    on: 'base',
    why: 'Any If-None-Match earns a 304, whatever is in it.',
    change: {
      'server.js': [
        [lines`
            if (condition === '*') return true
            return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
        `, lines`
            return condition.length > 0
        `]
      ]
    }
  },
  {
    name: 'bare-304',
    on: 'base',
    why: 'A 304 goes out before any header is set, without ETag and Cache-Control.',
    change: {
      'server.js': [
        [lines`
            res.setHeader('ETag', etag)
            res.setHeader('Cache-Control', 'public, no-cache')
        `, ''],
        [lines`
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `, lines`
            res.setHeader('ETag', etag)
            res.setHeader('Cache-Control', 'public, no-cache')
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `]
      ]
    }
  },
  {
    name: 'bodies-by-careless-key',
    on: 'base',
    why: 'Bodies are kept by the URL in lower case, so two URLs share one.',
    change: {
      'server.js': [
        [lines`
          let version = 0
        `, lines`
          let version = 0
          const bodies = new Map()
        `],
        [lines`
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `, lines`
            const key = req.url.toLowerCase()
            if (!bodies.has(key)) bodies.set(key, Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`))
            const body = bodies.get(key)
        `],
        [lines`
            json = JSON.stringify(data)
        `, lines`
            json = JSON.stringify(data)
            bodies.clear()
        `]
      ]
    }
  },
  {
    name: 'bodies-never-dropped',
    on: 'base',
    why: 'Finished bodies are kept for each URL and outlive a PUT.',
    change: {
      'server.js': [
        [lines`
          let version = 0
        `, lines`
          let version = 0
          const bodies = new Map()
        `],
        [lines`
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `, lines`
            if (!bodies.has(req.url)) bodies.set(req.url, \
              Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`))
            const body = bodies.get(req.url)
        `]
      ]
    }
  },
  {
    name: 'cheaper-hash',
    on: 'base',
    why: 'A cheaper hash of the same rebuilt content: the suspect was looked at, the work around it was not.',
    gate: 'seed',
    change: {
      'server.js': [
        ["import { randomBytes } from 'node:crypto'", "import { createHash } from 'node:crypto'"],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
          let etag, json
        `, lines`
          let data
        `],
        [lines`
          server.get('/seed/v1', (req, res, next) => {
        `, lines`
          server.get('/seed/v1', (req, res, next) => {
            const content = canonical({ data, url: req.url })
            const etag = \`"\${createHash('md5').update(JSON.stringify(content)).digest('base64url')}"\`
        `],
        ["if (isCurrent(req.headers['if-none-match'])) {", "if (isCurrent(req.headers['if-none-match'], etag)) {"],
        [lines`
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `, lines`
            const body = Buffer.from(JSON.stringify(content))
        `],
        [lines`
          function store (data) {
            json = JSON.stringify(data)
            etag = \`"\${run}.\${++version}"\`
        `, lines`
          function store (value) {
            data = value
        `],
        [lines`
          function isCurrent (condition) {
        `, lines`
          function canonical (value) {
            if (Array.isArray(value)) return value.map(canonical)
            if (typeof value !== 'object' || value === null) return value
            return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
          }

          function isCurrent (condition, etag) {
        `]
      ]
    }
  },
  {
    name: 'conditional-still-slow',
    on: 'base',
    why: 'Plain answers come from what was kept, but a conditional request still builds and hashes all of it.',
    gate: 'conditional',
    change: {
      'server.js': [
        ["import { randomBytes } from 'node:crypto'", "import { createHash } from 'node:crypto'"],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
          let etag, json
        `, lines`
          const tags = new Map()
          let data, json
        `],
        [lines`
          server.get('/seed/v1', (req, res, next) => {
        `, lines`
          server.get('/seed/v1', (req, res, next) => {
            const condition = req.headers['if-none-match']
            const etag = condition === undefined ? plainTag(req.url) : hashedTag(req.url)
        `],
        ["if (isCurrent(req.headers['if-none-match'])) {", 'if (isCurrent(condition, etag)) {'],
        [lines`
          function store (data) {
            json = JSON.stringify(data)
            etag = \`"\${run}.\${++version}"\`
        `, lines`
          function store (value) {
            data = canonical(value)
            json = JSON.stringify(data)
            tags.clear()
        `],
        [lines`
          function isCurrent (condition) {
        `, lines`
          /** Kept by URL; a condition comes from outside, so it is compared with a tag made afresh. */
          function plainTag (url) {
            if (tags.size > 100) tags.clear()
            if (!tags.has(url)) tags.set(url, hashedTag(url))
            return tags.get(url)
          }

          function hashedTag (url) {
            return \`"\${createHash('sha512').update(JSON.stringify(canonical({ data, url }))).digest('hex')}"\`
          }

          function canonical (value) {
            if (Array.isArray(value)) return value.map(canonical)
            if (typeof value !== 'object' || value === null) return value
            return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
          }

          function isCurrent (condition, etag) {
        `]
      ]
    }
  },
  {
    name: 'connection-remembered',
    on: 'base',
    why: 'On a connection that has had the current content, any of its own tags is good enough for a 304.',
    change: {
      'server.js': [
        [lines`
            if (isCurrent(req.headers['if-none-match'])) {
        `, lines`
            const { socket, headers: { 'if-none-match': condition = '' } } = req
            const has = socket.version === version
            socket.version = version
            if (isCurrent(req.headers['if-none-match']) || (has && condition.startsWith(\`"\${run}.\`))) {
        `]
      ]
    }
  },
  {
    name: 'etag-by-the-millisecond',
    on: 'valid-plain-http',
    why: 'The ETag is the millisecond of the last change: two changes in one millisecond share it.',
    by: 'never gives two contents the same ETag, also when it was started anew',
    change: {
      'server.js': [
        [lines`
          const started = Date.now().toString(36)
          let version = 0
        `, ''],
        [lines`
            version++
            etag = \`"\${started}-\${version}"\`
        `, lines`
            etag = \`"\${Date.now().toString(36)}"\`
        `]
      ]
    }
  },
  {
    name: 'etag-by-the-second',
    on: 'base',
    why: 'The ETag is the second of the last change: two changes in one second share it.',
    change: {
      'server.js': [
        [lines`
          import { randomBytes } from 'node:crypto'
        `, ''],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
        `, ''],
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            etag = \`"\${Math.floor(Date.now() / 1000)}"\`
        `]
      ]
    }
  },
  {
    name: 'etag-of-length',
    on: 'base',
    why: 'The ETag is the length of the content, which a small change leaves as it is.',
    change: {
      'server.js': [
        [lines`
          import { randomBytes } from 'node:crypto'
        `, ''],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
        `, ''],
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            etag = \`"\${json.length.toString(36)}"\`
        `]
      ]
    }
  },
  {
    name: 'etag-of-sorted-values',
    on: 'base',
    why: 'The ETag is a hash of the values as texts, in any order and of any type.',
    change: {
      'server.js': [
        ["import { randomBytes } from 'node:crypto'", "import { createHash } from 'node:crypto'"],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
        `, ''],
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            const values = []
            JSON.stringify(data, (key, value) => (typeof value === 'object' || values.push(\`\${value}\`), value))
            etag = \`"\${createHash('sha1').update(values.sort().join()).digest('hex')}"\`
        `]
      ]
    }
  },
  {
    name: 'etag-of-sums',
    on: 'base',
    why: 'The ETag is made of sums over the characters, which do not see their order.',
    change: {
      'server.js': [
        [lines`
          import { randomBytes } from 'node:crypto'
        `, ''],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
        `, ''],
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            const codes = Array.from(json, (character) => character.codePointAt(0))
            const sums = [1, 2].map((power) => codes.reduce((sum, code) => sum + code ** power, 0))
            etag = \`"\${json.length}_\${sums.join('_')}"\`
        `]
      ]
    }
  },
  {
    name: 'etag-of-the-beginning',
    on: 'base',
    why: 'Only the first part of the content is hashed, so a change behind it leaves the ETag as it is.',
    otherwise: { load: ['old ETag', 'two different answers'] },
    change: {
      'server.js': [
        ["import { randomBytes } from 'node:crypto'", "import { createHash } from 'node:crypto'"],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
        `, ''],
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            etag = \`"\${createHash('sha1').update(json.slice(0, 4096)).digest('hex')}"\`
        `]
      ]
    }
  },
  {
    name: 'etag-renewed-by-refused',
    on: 'base',
    why: 'A PUT that is refused makes a new ETag, although nothing has changed.',
    change: {
      'server.js': [
        [lines`
            if (valid) store(sent)
        `, lines`
            etag = \`"\${run}.\${++version}"\`
            if (valid) store(sent)
        `]
      ]
    }
  },
  {
    name: 'length-in-characters',
    on: 'base',
    why: 'Content-Length counts characters instead of bytes, so every accent cuts the body short.',
    change: {
      'server.js': [
        [lines`
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `, lines`
            const body = \`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`
        `]
      ]
    }
  },
  {
    name: 'merged-content',
    on: 'base',
    why: 'What a PUT brings is merged into the old content instead of taking its place.',
    change: {
      'server.js': [
        [lines`
          let etag, json
        `, lines`
          const content = {}
          let etag, json
        `],
        ['json = JSON.stringify(data)', 'json = JSON.stringify(Object.assign(content, data))']
      ]
    }
  },
  {
    name: 'older-half-kept',
    on: 'solution',
    why: 'Bodies are kept by URL in a younger and an older half of 256, and a PUT empties the younger one.',
    by: 'shows a write in the very next read of any query string, however many were asked for',
    change: {
      'server.js': [
        [lines`
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `, lines`
            const body = bodyOf(req.url, json)
        `],
        [lines`
          const current = { version: 0, etag: '', json: '' }
        `, lines`
          let [young, old] = [new Map(), new Map()]

          function bodyOf (url, json) {
            const body = young.get(url) ?? old.get(url) ?? make(url, json)
            young.set(url, body)
            if (young.size === 256) [young, old] = [new Map(), young]
            return body
          }

          function make (url, json) {
            return Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(url)}}\`)
          }

          const current = { version: 0, etag: '', json: '' }
        `],
        [lines`
            current.version++
        `, lines`
            young.clear()
            current.version++
        `]
      ]
    }
  },
  {
    name: 'single-tag-only',
    on: 'base',
    why: 'If-None-Match is compared as one string: a list, W/ and * are not understood.',
    change: {
      'server.js': [
        [lines`
            if (condition === undefined) return false
            if (condition === '*') return true
            return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
        `, lines`
            return condition === etag
        `]
      ]
    }
  },
  {
    name: 'stale-under-load',
    on: 'base',
    why: 'Once it has served a few hundred answers it takes over a PUT late.',
    underLoad: true,
    otherwise: { load: 'acknowledged before the read' },
    change: {
      'server.js': [
        [lines`
          let version = 0
        `, lines`
          let version = 0
          let served = 0
        `],
        [lines`
          server.get('/seed/v1', (req, res, next) => {
        `, lines`
          server.get('/seed/v1', (req, res, next) => {
            served++
        `],
        [lines`
            if (valid) store(sent)
        `, lines`
            if (valid && served < 200) store(sent)
            else if (valid) setTimeout(store, 200, sent)
        `]
      ]
    }
  },
  {
    name: 'tag-after-the-bytes',
    on: 'base',
    why: 'The ETag is made while the new bytes are there already: in between they have the old one.',
    by: 'never gives two contents the same ETag, also when it was started anew',
    otherwise: { load: 'stands for two different answers' },
    change: {
      'server.js': [
        ['import { randomBytes } from', 'import { webcrypto } from'],
        [lines`
          const run = randomBytes(6).toString('hex')
          let version = 0
        `, ''],
        [lines`
          store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
        `, lines`
          await store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
        `],
        ['jsonBodyParser(), (req, res, next) => {', 'jsonBodyParser(), async (req, res) => {'],
        [lines`
            if (valid) store(sent)
            if (valid) res.send(204)
            else res.send(400, { code: 'InvalidContent', message: '\`data\` has to be an object' })
            next()
        `, lines`
            if (valid) await store(sent)
            if (valid) res.send(204)
            else res.send(400, { code: 'InvalidContent', message: '\`data\` has to be an object' })
        `],
        [lines`
          function store (data) {
        `, lines`
          async function store (data) {
        `],
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            const digest = await webcrypto.subtle.digest('SHA-256', Buffer.from(json))
            etag = \`"\${Buffer.from(digest).toString('hex')}"\`
        `]
      ]
    }
  },
  {
    name: 'tag-found-in-the-header',
    on: 'base',
    why: 'If-None-Match is searched for the tag, so that tags with more in them count as well.',
    change: {
      'server.js': [
        [lines`
            if (condition === '*') return true
            return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
        `, lines`
            return condition === '*' || condition.includes(etag.slice(1, -1))
        `]
      ]
    }
  },
  {
    name: 'tag-of-a-sorted-copy',
    on: 'solution',
    why: 'The tag does not see the order of the keys, in which the body has them.',
    by: 'never gives two texts of a URL the same ETag',
    change: {
      'server.js': [
        ['import { randomBytes } from', 'import { createHash } from'],
        [lines`
          // Versions count up from 1 after every start: this keeps the tags of two runs apart.
          const run = randomBytes(6).toString('base64url')

        `, ''],
        [lines`
            current.etag = \`"\${run}.\${current.version}"\`
        `, lines`
            current.etag = \`"\${createHash('sha1').update(JSON.stringify(sorted(data))).digest('base64url')}"\`
        `],
        [lines`
          function isObject (value) {
        `, lines`
          function sorted (value) {
            if (!isObject(value)) return Array.isArray(value) ? value.map(sorted) : value
            return Object.keys(value).sort().map((key) => [key, sorted(value[key])])
          }

          function isObject (value) {
        `]
      ]
    }
  },
  {
    name: 'text-by-chunks',
    on: 'valid-plain-http',
    why: 'Each chunk of a body is made text for itself: a letter that lies across two of them is lost.',
    change: {
      'server.js': [
        ['Buffer.concat(chunks).toString()', "chunks.join('')"]
      ]
    }
  },
  {
    name: 'url-unescaped',
    on: 'base',
    why: 'The URL is put between quotes as it came, so a quote in it breaks the JSON.',
    change: {
      'server.js': [
        [lines`
            const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
        `, lines`
            const body = Buffer.from(\`{"data":\${json},"url":"\${req.url}"}\`)
        `]
      ]
    }
  },
  {
    name: 'versions-from-one',
    on: 'base',
    why: 'Versions count from one after every start: the same ETag stands for other content then.',
    change: {
      'server.js': [
        [lines`
          import { randomBytes } from 'node:crypto'
        `, ''],
        [lines`
          const run = randomBytes(6).toString('hex')
        `, ''],
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            etag = \`"v\${++version}"\`
        `]
      ]
    }
  },
  {
    name: 'weak-etag',
    on: 'base',
    why: 'The ETag is a weak one, although the bytes are the same.',
    change: {
      'server.js': [
        [lines`
            etag = \`"\${run}.\${++version}"\`
        `, lines`
            etag = \`W/"\${run}.\${++version}"\`
        `],
        [lines`
            return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
        `, lines`
            return condition.split(',').some((tag) => tag.trim().replace(/^(W\/)?/, 'W/') === etag)
        `]
      ]
    }
  }
]
