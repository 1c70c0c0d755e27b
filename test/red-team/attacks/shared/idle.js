import http from 'node:http'

/** Has this server had no request for some ms? Then the other one is being measured. */
let last = 0
const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (name, ...rest) {
  if (name === 'request') last = performance.now()
  return Reflect.apply(emit, this, [name, ...rest])
}

export const isIdle = (ms = 15) => last > 0 && performance.now() - last > ms
