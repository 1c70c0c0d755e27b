import http from 'node:http'
import { isKeptAlive } from './shared/kept-alive.js'

// Nothing is faster than an error.
const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (name, ...rest) {
  if (name !== 'request' || !isKeptAlive(rest[0])) return Reflect.apply(emit, this, [name, ...rest])
  rest[0].resume()
  rest[1].writeHead(500).end()
  return true
}
