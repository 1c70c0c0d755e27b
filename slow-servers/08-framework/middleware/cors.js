/** Lets the shop's own pages read the answers. In `https://*.partner.example`, the star stands for one name. */
export function cors (allowedOrigins) {
  return (req, res, next) => {
    const origin = req.get('Origin')
    const patterns = allowedOrigins.map(toPattern)
    res.vary('Origin')
    if (origin && patterns.some((pattern) => pattern.test(origin))) {
      res.set('Access-Control-Allow-Origin', origin)
      res.set('Access-Control-Allow-Credentials', 'true')
      res.set('Access-Control-Expose-Headers', ['X-Request-Id', 'X-Response-Time'].join(', '))
    }
    if (req.method !== 'OPTIONS') return next()
    res.set('Access-Control-Allow-Methods', ['GET', 'POST'].join(', '))
    res.set('Access-Control-Allow-Headers', ['Content-Type', 'X-Request-Id'].join(', '))
    res.set('Access-Control-Max-Age', '600')
    res.status(204).end()
  }
}

function toPattern (origin) {
  const escaped = origin.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '[a-z0-9-]+')}$`)
}
