import { messages } from './data.js'

/** For each language its texts, in English where a translation is missing, and its way to write prices. */
const languages = new Map(Object.keys({ en: {}, ...messages }).map((language) => [language, {
  texts: { ...messages.en, ...messages[language] },
  price: new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' })
}]))

export function textOf (language, code) {
  return languages.get(language).texts[code] ?? code
}

export function priceText (language, value) {
  return languages.get(language).price.format(value)
}
