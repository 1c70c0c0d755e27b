const codes = {
  'entity.parse.failed': 'invalid_json',
  'entity.too.large': 'body_too_large',
  'charset.unsupported': 'unsupported_media_type',
  'encoding.unsupported': 'unsupported_media_type'
}

/** An error with a status and one of the codes that messages.json has texts for. */
export function failure (status, code, fields) {
  return Object.assign(new Error(code), { status, failure: code, fields })
}

/** Every error has the same format. Express recognises an error handler by its four parameters. */
export function errors (error, req, res, next) {
  if (res.headersSent) return next(error)
  const status = error.status ?? 500
  const code = codes[error.type] ?? error.failure ?? (status < 500 ? 'bad_request' : 'internal_error')
  res.status(status).json({ error: { code, message: req.locale.texts[code], requestId: req.id, fields: error.fields } })
}
