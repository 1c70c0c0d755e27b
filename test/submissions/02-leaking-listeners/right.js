import { patch } from '../apply.js'

export default [
  {
    name: 'valid-hash-copied',
    on: 'valid-node-http',
    why: 'A hash has read the data at the start, and a copy of it reads on with the URL of a request.',
    change: patch`
      -const dataHash = createHash('sha1').update(dataJson).digest('hex')
      +const dataHash = createHash('sha1').update(dataJson)
      @@
      -  const urlHash = createHash('sha1').update(url).digest('hex')
      -  const headers = { ETag: \`W/"\${dataHash}-\${urlHash}"\`, 'Cache-Control': 'public, max-age=120' }
      +  const tag = dataHash.copy().update(url).digest('base64url')
      +  const headers = { ETag: \`W/"\${tag}"\`, 'Cache-Control': 'public, max-age=120' }
    `
  }
]
