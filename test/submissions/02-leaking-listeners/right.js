import { lines } from '../apply.js'

export default [
  {
    name: 'valid-hash-copied',
    on: 'valid-node-http',
    why: 'A hash has read the data at the start, and a copy of it reads on with the URL of a request.',
    change: {
      'server.js': [
        ["update(dataJson).digest('hex')", 'update(dataJson)'],
        [lines`
            const urlHash = createHash('sha1').update(url).digest('hex')
        `, lines`
            const tag = dataHash.copy().update(url).digest('base64url')
        `],
        [lines`
            const headers = { ETag: \`W/"\${dataHash}-\${urlHash}"\`, 'Cache-Control': 'public, max-age=120' }
        `, lines`
            const headers = { ETag: \`W/"\${tag}"\`, 'Cache-Control': 'public, max-age=120' }
        `]
      ]
    }
  }
]
