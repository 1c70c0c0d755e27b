/** Chooses the language: of those that have texts, the one with the highest q in Accept-Language; else English. */
export function locale (supported) {
  return (req, res, next) => {
    const wanted = (req.get('Accept-Language') ?? '')
      .split(',')
      .map(parseRange)
      .filter(({ q }) => q > 0)
      .sort((a, b) => b.q - a.q)
    const found = wanted.map(({ tag }) => match(tag, supported)).find((language) => language !== undefined)
    req.locale = found ?? 'en'
    res.set('Content-Language', req.locale)
    res.vary('Accept-Language')
    next()
  }
}

function parseRange (range) {
  const [tag, ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { tag, q: weight ? Number(weight.slice(2)) : 1 }
}

function match (tag, supported) {
  if (tag === '*') return 'en'
  try {
    const { language } = new Intl.Locale(tag)
    return supported.find((candidate) => new Intl.Locale(candidate).language === language)
  } catch {
    return undefined
  }
}
