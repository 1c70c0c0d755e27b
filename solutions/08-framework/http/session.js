import { createHmac, timingSafeEqual } from 'node:crypto'
import { config, sessions } from '../data.js'

const byId = new Map(sessions.map((session) => [session.id, session]))

/** The session of the cookie `sid`, `<id>.<signature>`; undefined without a valid one. */
export function sessionOf (req) {
  const cookie = readCookie(req.headers.cookie ?? '', 'sid')
  const dot = cookie.lastIndexOf('.')
  if (dot < 1) return undefined
  const id = cookie.slice(0, dot)
  const given = Buffer.from(cookie.slice(dot + 1))
  const expected = Buffer.from(createHmac('sha256', config.sessionSecret).update(id).digest('base64url'))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const session = byId.get(id)
  return session && Date.parse(session.expiresAt) > Date.now() ? session : undefined
}

/** The first cookie of this name, decoded; empty if there's no such cookie. */
function readCookie (header, name) {
  const pair = header.split(';').map((part) => part.trim()).find((part) => part.startsWith(`${name}=`)) ?? ''
  const value = pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1')
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
