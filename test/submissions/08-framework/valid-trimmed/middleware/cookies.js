/** `req.cookies`, decoded. */
export function cookies () {
  return (req, res, next) => {
    req.cookies = Object.create(null)
    for (const pair of (req.get('Cookie') ?? '').split(';')) {
      const [name, ...rest] = pair.trim().split('=')
      if (!name || name in req.cookies) continue
      req.cookies[name] = parse(decode(rest.join('=').replace(/^"(.*)"$/, '$1')))
    }
    next()
  }
}

function decode (value) {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Some of our cookies hold JSON. */
function parse (value) {
  try {
    const parsed = JSON.parse(value)
    return typeof parsed === 'object' && parsed !== null ? parsed : value
  } catch {
    return value
  }
}
