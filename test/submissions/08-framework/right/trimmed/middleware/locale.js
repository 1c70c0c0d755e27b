/** Chooses the language: of those that have texts, the one with the highest q in Accept-Language; else English. */
export function locale (supported) {
  const languages = supported.map((name) => ({ name, language: new Intl.Locale(name).language }))
  // A client can send anything: few, short ones are kept.
  const known = new Map()
  return (req, res, next) => {
    const header = req.headers['accept-language'] ?? ''
    let found = known.get(header)
    if (found === undefined) {
      found = choose(header, languages)
      if (known.size >= 200) known.clear()
      if (header.length <= 200) known.set(header, found)
    }
    req.locale = found
    res.setHeader('Content-Language', found)
    res.setHeader('Vary', 'Accept-Language, Origin')
    next()
  }
}

function choose (header, languages) {
  const wanted = header
    .split(',')
    .map(parseRange)
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
  for (const { tag } of wanted) {
    const found = match(tag, languages)
    if (found !== undefined) return found
  }
  return 'en'
}

function parseRange (range) {
  const [tag, ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { tag, q: weight ? Number(weight.slice(2)) : 1 }
}

function match (tag, languages) {
  if (tag === '*') return 'en'
  try {
    const { language } = new Intl.Locale(tag)
    return languages.find((candidate) => candidate.language === language)?.name
  } catch {
    return undefined
  }
}
