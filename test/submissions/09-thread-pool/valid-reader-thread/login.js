import { pbkdf2 as pbkdf2WithCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import jwt from 'jsonwebtoken'

const pbkdf2 = promisify(pbkdf2WithCallback)
const isText = (value) => typeof value === 'string' && value !== ''

/** Hashes stay in the thread pool, where nothing waits behind them any more. */
export function openLogin ({ secret, tokenTtlSeconds: expiresIn }, users) {
  const byEmail = new Map(users.map((user) => [user.email, user]))
  return async ({ email, password }) => {
    const missing = [!isText(email) && 'email', !isText(password) && 'password'].filter(Boolean)
    if (missing.length > 0) {
      return { status: 400, value: { error: 'missing_required_parameters', context: { body: missing } } }
    }
    const user = byEmail.get(email)
    const right = await isRight(user ?? users[0], password)
    if (!user || !right) {
      return { status: 401, value: { error: 'bad_credentials', message: 'E-mail or password is wrong.' } }
    }
    const { id, firstName, lastName } = user
    const token = jwt.sign({}, secret, { algorithm: 'HS256', subject: id, expiresIn })
    return { status: 200, value: { token, expiresIn, user: { id, firstName, lastName, avatar: `/avatar/${id}` } } }
  }
}

async function isRight ({ hash, salt, iterations, digest }, password) {
  const stored = Buffer.from(hash, 'hex')
  return timingSafeEqual(await pbkdf2(password, Buffer.from(salt, 'hex'), iterations, stored.length, digest), stored)
}
