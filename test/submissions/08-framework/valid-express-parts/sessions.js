import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { parse } from 'cookie'
import { config, flags, sessions } from './data.js'

const sessionsById = new Map(sessions.map((session) => [session.id, session]))
const open = flags.filter(({ enabled, rollout }) => enabled && rollout > 0)

/** Who is signed in by the cookie `sid`, `<id>.<signature>`; undefined without a valid one. */
export function userOf (header = '') {
  const [id, signature = '', ...rest] = (parse(header).sid ?? '').split('.')
  const given = Buffer.from(signature)
  const expected = Buffer.from(createHmac('sha256', config.sessionSecret).update(id).digest('base64url'))
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const session = sessionsById.get(id)
  return session && Date.parse(session.expiresAt) > Date.now() ? session.user : undefined
}

export function featuresOf (userId) {
  const bucket = (key) => createHash('sha256').update(`${key}:${userId}`).digest().readUInt32BE(0) % 100
  return open.filter(({ key, rollout }) => bucket(key) < rollout).map(({ key }) => key)
}
