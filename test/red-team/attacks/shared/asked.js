import http from 'node:http'

/** The last GET request that this server was sent, as text for another one; empty before the first. */
let last = ''
const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (name, ...rest) {
  const [req] = rest
  if (name === 'request' && req.method === 'GET') last = `GET ${req.url} HTTP/1.1\r\nHost: a\r\n\r\n`
  return Reflect.apply(emit, this, [name, ...rest])
}

export const asked = () => last
