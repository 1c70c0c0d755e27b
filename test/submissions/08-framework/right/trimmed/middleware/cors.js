/** Lets the shop's own pages read the answers. In `https://*.partner.example`, the star stands for one name. */
export function cors (allowedOrigins) {
  const patterns = allowedOrigins.map(toPattern)
  return (req, res, next) => {
    const origin = req.headers.origin
    if (origin && patterns.some((pattern) => pattern.test(origin))) {
      res.setHeader('Access-Control-Allow-Origin', origin)
      res.setHeader('Access-Control-Allow-Credentials', 'true')
      res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, X-Response-Time')
    }
    if (req.method !== 'OPTIONS') return next()
    res.setHeader('Access-Control-Allow-Methods', 'GET, POST')
    res.setHeader('Access-Control-Allow-Headers', 'Content-Type, X-Request-Id')
    res.setHeader('Access-Control-Max-Age', '600')
    res.status(204).end()
  }
}

function toPattern (origin) {
  const escaped = origin.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '[a-z0-9-]+')}$`)
}
