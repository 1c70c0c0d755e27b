// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/g

/** Without control characters and surrounding spaces; anything that isn't a string stays as it is. */
export function clean (value) {
  return typeof value === 'string' ? value.replace(control, '').trim() : value
}

/** The first value of each parameter, cleaned. Only what a route names is read, so no operator gets in. */
export function queryOf (req, names) {
  const question = req.originalUrl.indexOf('?')
  if (question < 0) return {}
  const parameters = new URLSearchParams(req.originalUrl.slice(question + 1))
  return Object.fromEntries(names
    .filter((name) => parameters.has(name))
    .map((name) => [name, clean(parameters.get(name))]))
}
