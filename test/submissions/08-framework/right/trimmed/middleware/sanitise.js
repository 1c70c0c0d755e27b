// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/g

/** A text of a client without control characters and spaces around it; what is no text stays as it is. */
export function clean (value) {
  return typeof value === 'string' ? value.replace(control, '').trim() : value
}

/** A parameter of the query: the first one, if it is a text. */
export function parameter (query, name) {
  const value = Array.isArray(query[name]) ? query[name][0] : query[name]
  return typeof value === 'string' ? clean(value) : undefined
}
