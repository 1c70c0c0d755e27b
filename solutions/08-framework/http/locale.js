import { messages } from '../data.js'

/** One for each language: its texts (English where one is missing) and its price format. */
const languages = new Map(Object.keys(messages).map((language) => [language, {
  language,
  texts: { ...messages.en, ...messages[language] },
  price: new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' })
}]))

/** There are few different Accept-Language headers, but a client can invent many, so the map is bounded. */
const chosen = new Map()
const mostChosen = 500

/** `req.locale`: of the languages that have texts, the one with the highest q in Accept-Language; else English. */
export function locale (req, res) {
  const header = req.headers['accept-language'] ?? ''
  req.locale = chosen.get(header) ?? remember(header, choose(header))
  res.setHeader('Content-Language', req.locale.language)
}

function remember (header, found) {
  if (chosen.size >= mostChosen) chosen.clear()
  chosen.set(header, found)
  return found
}

function choose (header) {
  const wanted = header.split(',').map(parseRange).filter(({ q }) => q > 0).sort((a, b) => b.q - a.q)
  const best = wanted.find(({ language }) => language === '*' || languages.has(language))
  return languages.get(best?.language) ?? languages.get('en')
}

function parseRange (range) {
  const [tag, ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { language: tag.split('-')[0].toLowerCase(), q: weight ? Number(weight.slice(2)) : 1 }
}
