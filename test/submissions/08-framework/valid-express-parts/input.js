import parseUrl from 'parseurl'
import getRawBody from 'raw-body'
import typeIs from 'type-is'
import { failure } from './failure.js'

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/g

/** Without control characters and surrounding spaces; anything that isn't a string stays as it is. */
export function clean (value) {
  return typeof value === 'string' ? value.replace(control, '').trim() : value
}

/** The first value of each parameter, cleaned. */
export function queryOf (req) {
  const query = Object.create(null)
  for (const [name, value] of new URLSearchParams(parseUrl(req).query ?? '')) query[name] ??= clean(value)
  return query
}

export async function readJson (req, limit) {
  if (!typeIs(req, ['application/json'])) throw failure(415, 'unsupported_media_type')
  const text = await getRawBody(req, { limit, encoding: 'utf-8' }).catch((error) => {
    throw failure(error.status, error.type === 'entity.too.large' ? 'body_too_large' : 'bad_request')
  })
  try {
    return JSON.parse(text)
  } catch {
    throw failure(400, 'invalid_json')
  }
}
