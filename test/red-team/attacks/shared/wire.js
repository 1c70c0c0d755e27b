import http from 'node:http'
import { isKeptAlive } from './kept-alive.js'

/**
 * Does something to the answers of the load, and to no answer of the contract.
 *
 * @param {(req: any, res: any) => void} change
 */
export function changeAnswers (change) {
  const emit = http.Server.prototype.emit
  http.Server.prototype.emit = function (name, ...rest) {
    if (name === 'request' && isKeptAlive(rest[0])) change(rest[0], rest[1])
    return Reflect.apply(emit, this, [name, ...rest])
  }
}
