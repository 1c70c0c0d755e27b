/**
 * May a server send this content coding (RFC 9110, 12.5.3)? Without the header it may send any, and content as it is
 * always: a server may disregard the header. Pure.
 *
 * @param {string | undefined} accepted the value of Accept-Encoding
 * @param {string} coding in lower case
 */
export function isAcceptable (accepted, coding) {
  if (accepted === undefined || coding === 'identity') return true
  const said = new Map(accepted.toLowerCase().split(',').map((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((text) => text.startsWith('q='))
    return [plainName(name), q === undefined ? 1 : Number(q.slice(2))]
  }))
  return (said.get(plainName(coding)) ?? said.get('*') ?? 0) > 0
}

/** Recipients take the one for the other (RFC 9110, 8.4.1.3). @param {string} coding */
function plainName (coding) {
  return coding === 'x-gzip' ? 'gzip' : coding
}
