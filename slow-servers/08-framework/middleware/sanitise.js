// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/g

/** `req.clean`: query and body without operators, control characters and spaces around the values. */
export function sanitise () {
  return (req, res, next) => {
    const query = {}
    for (const name of Object.keys(req.query)) {
      const value = Array.isArray(req.query[name]) ? req.query[name][0] : req.query[name]
      if (typeof value === 'string') query[name] = clean(value)
    }
    req.clean = { query, body: clean(req.body) }
    next()
  }
}

function clean (value) {
  if (typeof value === 'string') return value.replace(control, '').trim()
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value)
    .filter(([name]) => !name.startsWith('$') && !name.includes('.') && name !== '__proto__')
    .map(([name, inner]) => [name, clean(inner)]))
}
