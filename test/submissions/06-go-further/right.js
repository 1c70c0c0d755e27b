import { patch } from '../apply.js'

export default [
  {
    name: 'valid-first-part',
    on: 'solution',
    why: 'The tag is made per change; the body is still made by restify for each response.',
    change: patch`
      -  const body = Buffer.from(\`{"data":\${req.content.json},"url":\${JSON.stringify(req.url)}}\`)
      -  // One write for head and body; restify's own send() needs two, and makes the text again.
      -  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
      -  res.end(body)
      +  res.send({ data: req.content.data, url: req.url })
      @@
      -  const json = JSON.stringify(canonical(data))
      -  return { json, hash: sha512(json) }
      +  const copy = canonical(data)
      +  return { data: copy, hash: sha512(JSON.stringify(copy)) }
    `
  }
]
