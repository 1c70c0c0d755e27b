import { debuglog } from 'node:util'

const secret = /^(authorization|cookie|set-cookie|x-api-key)$/i
// Shown with NODE_DEBUG=access.
const debug = debuglog('access')

accessLog.enabled = debug.enabled

/** One line for every answer. */
export function accessLog () {
  return (req, res, next) => {
    const arrivedAt = new Date()
    res.on('finish', () => {
      const line = JSON.stringify({
        time: arrivedAt.toISOString(),
        shown: arrivedAt.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }),
        id: req.id,
        method: req.method,
        url: req.originalUrl,
        query: req.query,
        ip: req.ip,
        user: req.session?.user?.id,
        locale: req.locale,
        request: redact(req.headers),
        status: res.statusCode,
        response: redact(res.getHeaders())
      })
      debug(line)
    })
    next()
  }
}

function redact (headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, secret.test(name) ? '[redacted]' : value]))
}
