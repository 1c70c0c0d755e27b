import { config } from './data.js'

const escape = (text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
const patterns = config.allowedOrigins.map((origin) => escape(origin).replaceAll('*', '[a-z0-9-]+'))
const allowed = new RegExp(`^(${patterns.join('|')})$`)

export const preflight = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '600'
}

export function corsHeaders (origin) {
  if (origin === undefined || !allowed.test(origin)) return undefined
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'X-Request-Id, X-Response-Time'
  }
}
