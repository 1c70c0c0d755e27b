import { createHmac, timingSafeEqual } from 'node:crypto'
import { sessions } from '../data.js'

// The first of an id counts, as it always did.
const byId = new Map(sessions.toReversed().map((session) => [session.id, session]))

/** `req.session`: the one of the cookie `sid`, `<id>.<signature>`, or nothing. */
export function session (secret) {
  return (req, res, next) => {
    req.session = load(String(req.cookies.sid ?? ''), secret)
    next()
  }
}

function load (cookie, secret) {
  const dot = cookie.lastIndexOf('.')
  const id = cookie.slice(0, dot)
  const given = Buffer.from(cookie.slice(dot + 1))
  const expected = Buffer.from(sign(id, secret))
  if (dot < 1 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const session = byId.get(id)
  return session && Date.parse(session.expiresAt) > Date.now() ? session : undefined
}

function sign (id, secret) {
  return createHmac('sha256', secret).update(id).digest('base64url')
}
