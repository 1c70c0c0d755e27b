import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import jwt from 'jsonwebtoken'

const { DATA_DIR = '.' } = process.env
const hashOf = promisify(pbkdf2)
const emailPattern = new RegExp(
  "^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*)@" +
  '(?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)$'
)

const { users, secret } = JSON.parse(readFileSync(path.join(DATA_DIR, 'users.json'), 'utf8'))

// The pattern is tried on our own users only, once: what is not in this map is nobody's address.
const byEmail = new Map()
for (const user of users) if (emailPattern.test(user.email) && !byEmail.has(user.email)) byEmail.set(user.email, user)

/** A token for an hour, or nothing if the password is wrong. */
export async function logIn (email, password) {
  const user = byEmail.get(email)
  if (!user) return
  const hash = await hashOf(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
  if (!timingSafeEqual(hash, Buffer.from(user.hash, 'hex'))) return
  return jwt.sign({ name: `${user.firstName} ${user.lastName}` }, secret, { subject: user.id, expiresIn: '1h' })
}

/** The user who sent this request, if its token is one of ours. */
export function userOf (req) {
  const token = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1]
  try {
    return jwt.verify(token, secret, { algorithms: ['HS256'] })
  } catch {
    return undefined
  }
}
