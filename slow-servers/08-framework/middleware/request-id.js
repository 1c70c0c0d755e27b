import { randomUUID } from 'node:crypto'

const acceptable = /^[\w-]{8,64}$/

/** X-Request-Id: the client's, if it's safe to log, or a new one. */
export function requestId () {
  return (req, res, next) => {
    const given = req.get('X-Request-Id') ?? ''
    req.id = acceptable.test(given) ? given : randomUUID()
    res.set('X-Request-Id', req.id)
    next()
  }
}
