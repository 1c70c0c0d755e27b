/** How many requests came over each connection. @type {WeakMap<object, number>} */
const counts = new WeakMap()

/**
 * Is it not the first request of its connection? The contract makes a connection for each.
 *
 * @param {import('node:http').IncomingMessage} req
 */
export function isKeptAlive (req) {
  const count = (counts.get(req.socket) ?? 0) + 1
  counts.set(req.socket, count)
  return count > 1
}
