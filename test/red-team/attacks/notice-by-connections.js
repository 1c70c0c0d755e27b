import http from 'node:http'
import { cheatWhen } from './shared/cheat.js'

// The contract has one or two connections at a time.
let open = 0
const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (name, ...rest) {
  if (name === 'connection') {
    open++
    rest[0].on('close', () => { open-- })
  }
  return Reflect.apply(emit, this, [name, ...rest])
}
cheatWhen(() => open >= 4)
