import Negotiator from 'negotiator'
import { messages } from './data.js'

// English first: it is what `*` gets.
const supported = ['en', ...Object.keys(messages).filter((language) => language !== 'en')]
const languages = new Map(supported.map((language) => [language, {
  language,
  texts: { ...messages.en, ...messages[language] },
  price: new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' })
}]))

export function chooseLanguage (req) {
  return languages.get(new Negotiator(req).language(supported)) ?? languages.get('en')
}
