import http from 'node:http'
import { isKeptAlive } from './shared/kept-alive.js'

// Of two requests that come at about the same time, each gets the other's answer.
/** @type {{ server: any, req: any, res: any } | null} */
let held = null
const { emit } = http.Server.prototype
const ask = (/** @type {any} */ server, /** @type {any} */ req, /** @type {any} */ res) =>
  Reflect.apply(emit, server, ['request', req, res])
http.Server.prototype.emit = function (name, ...rest) {
  if (name !== 'request' || !isKeptAlive(rest[0])) return Reflect.apply(emit, this, [name, ...rest])
  const [req, res] = rest
  if (held) {
    const first = held
    held = null
    ask(first.server, first.req, res)
    ask(this, req, first.res)
    return true
  }
  const mine = held = { server: this, req, res }
  setTimeout(() => {
    if (held !== mine) return
    held = null
    ask(mine.server, req, res)
  }, 5)
  return true
}
