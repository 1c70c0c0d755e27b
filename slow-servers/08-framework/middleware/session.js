import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sessions } from '../data.js'

const store = {
  /** A copy, because a session store never hands out its own object. */
  async get (id) {
    const found = sessions.find((session) => session.id === id)
    return found && structuredClone(found)
  }
}

/** `req.session`: the one of the cookie `sid`, `<id>.<signature>`, or an anonymous one. */
export function session (secret) {
  return async (req, res, next) => {
    req.session = await load(String(req.cookies.sid ?? ''), secret) ?? create(secret)
    next()
  }
}

async function load (cookie, secret) {
  const dot = cookie.lastIndexOf('.')
  const id = cookie.slice(0, dot)
  const given = Buffer.from(cookie.slice(dot + 1))
  const expected = Buffer.from(sign(id, secret))
  if (dot < 1 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const session = await store.get(id)
  return session && Date.parse(session.expiresAt) > Date.now() ? session : undefined
}

function create (secret) {
  const id = randomBytes(18).toString('base64url')
  return { id, cookie: `${id}.${sign(id, secret)}`, user: null, createdAt: new Date().toISOString() }
}

function sign (id, secret) {
  return createHmac('sha256', secret).update(id).digest('base64url')
}
