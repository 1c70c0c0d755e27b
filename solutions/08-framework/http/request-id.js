import { randomUUID } from 'node:crypto'

const acceptable = /^[\w-]{8,64}$/

/** X-Request-Id: the client's, if it's safe to log, or a new one. */
export function requestId (req, res) {
  const given = req.headers['x-request-id'] ?? ''
  req.id = acceptable.test(given) ? given : randomUUID()
  res.setHeader('X-Request-Id', req.id)
}
