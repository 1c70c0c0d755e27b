/** @type {Map<string[], RegExp[]>} */
const compiled = new Map()

/**
 * Lets the shop's own pages read the answers, and answers preflight requests.
 * In `https://*.partner.example`, the star stands for one name.
 *
 * @returns {boolean} whether the request still needs an answer
 */
export function cors (req, res, allowedOrigins) {
  const { origin } = req.headers
  res.setHeader('Vary', 'Accept-Language, Origin')
  if (origin && patternsOf(allowedOrigins).some((pattern) => pattern.test(origin))) {
    res.setHeader('Access-Control-Allow-Origin', origin)
    res.setHeader('Access-Control-Allow-Credentials', 'true')
    res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, X-Response-Time')
  }
  if (req.method !== 'OPTIONS') return true
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST')
  res.setHeader('Access-Control-Allow-Headers', 'Content-Type, X-Request-Id')
  res.setHeader('Access-Control-Max-Age', '600')
  res.writeHead(204).end()
  return false
}

function patternsOf (allowedOrigins) {
  let patterns = compiled.get(allowedOrigins)
  if (!patterns) compiled.set(allowedOrigins, patterns = allowedOrigins.map(toPattern))
  return patterns
}

function toPattern (origin) {
  const escaped = origin.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '[a-z0-9-]+')}$`)
}
