import { randomUUID } from 'node:crypto'

const always = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-site',
  Vary: 'Accept-Language, Origin'
}

/** One request and its answer: everything that every answer carries is put together here, and written at once. */
export function exchange (req, res, { language: { language, texts, price }, cors }) {
  const startedAt = performance.now()
  const given = req.headers['x-request-id'] ?? ''
  const requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID()

  function send (status, value, headers) {
    const body = value === undefined ? '' : JSON.stringify(value)
    res.writeHead(status, {
      ...always,
      ...cors,
      ...headers,
      ...(value !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      'X-Request-Id': requestId,
      'Content-Language': language,
      'X-Response-Time': `${(performance.now() - startedAt).toFixed(3)}ms`
    })
    res.end(body)
  }

  return {
    send,
    fail ({ status = 500, code, fields }) {
      const known = status < 500 ? code : 'internal_error'
      send(status, { error: { code: known, message: texts[known], requestId, fields } })
    },
    show: (item) => ({ ...item, priceText: price.format(item.price) })
  }
}
