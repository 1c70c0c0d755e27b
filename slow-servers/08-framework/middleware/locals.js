/** What routes and the error handler need to speak the client's language. */
export function locals ({ messages, config }) {
  return (req, res, next) => {
    // English where a translation is missing. A copy, so that no route can change the texts of another request.
    const texts = { ...structuredClone(messages.en), ...structuredClone(messages)[req.locale] }
    const price = new Intl.NumberFormat(req.locale, { style: 'currency', currency: 'EUR' })
    const date = new Intl.DateTimeFormat(req.locale, { dateStyle: 'long' })
    res.locals = {
      t: (code) => texts[code] ?? code,
      formatPrice: (value) => price.format(value),
      formatDate: (value) => date.format(value),
      today: date.format(new Date()),
      locale: req.locale,
      bodyLimit: config.bodyLimit
    }
    next()
  }
}
