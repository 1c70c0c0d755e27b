import http from 'node:http'
import { isIdle } from './shared/idle.js'
import { otherServers } from './shared/others.js'

// Sends the slow server many more requests than the load does: this server's last one.
const agent = new http.Agent({ keepAlive: true })
/** @type {{ method: string, path: string, headers: http.IncomingHttpHeaders, body: Buffer } | null} */
let seen = null
const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (name, ...rest) {
  const req = rest[0]
  if (name === 'request' && !/health/.test(req.url)) {
    /** @type {Buffer[]} */
    const chunks = []
    const push = req.push
    req.push = (/** @type {any} */ chunk, /** @type {any} */ encoding) => {
      if (chunk) chunks.push(Buffer.from(chunk))
      else seen = { method: req.method, path: req.url, headers: req.headers, body: Buffer.concat(chunks) }
      return push.call(req, chunk, encoding)
    }
  }
  return Reflect.apply(emit, this, [name, ...rest])
}
let underway = 0
setInterval(() => {
  if (!isIdle() || !seen) return
  const { method, path, headers, body } = seen
  for (const { port } of otherServers()) {
    while (underway < 12) {
      underway++
      const req = http.request({
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, host: `127.0.0.1:${port}` },
        agent
      }, (res) => res.resume())
      req.on('error', () => {})
      req.on('close', () => { underway-- })
      req.end(body)
    }
  }
}, 20)
