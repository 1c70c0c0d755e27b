import { readToken } from '../shared/logins.js'

/**
 * What can be wrong with a response. Each function returns one short sentence, or undefined.
 *
 * @import { User } from '../shared/logins.js'
 */

/**
 * @param {{ headers: Record<string, string>, json: () => any }} answer
 * @param {User | undefined} user
 * @param {{ secret: string, tokenTtlSeconds: number }} config
 */
export function loginProblem (answer, user, { secret, tokenTtlSeconds: seconds }) {
  const body = answer.json()
  if (body?.expiresIn !== seconds) {
    return `expiresIn should be ${seconds} (seconds, from config.json), got ${JSON.stringify(body?.expiresIn)}`
  }
  if (user === undefined) return `user.id isn’t the id of a user in users.json: ${JSON.stringify(body.user?.id)}`
  const { id, firstName, lastName } = user
  for (const [name, value] of Object.entries({ id, firstName, lastName, avatar: `/avatar/${id}` })) {
    if (body.user?.[name] === value) continue
    return `user.${name} should be ${JSON.stringify(value)}, got ${JSON.stringify(body.user?.[name])}`
  }
  const { problem } = readToken(body.token, secret, { subject: id, seconds, headers: answer.headers })
  return problem && `the token ${problem}`
}

/**
 * @param {{ status: number, headers: Record<string, string>, body: Buffer }} answer
 * @param {Buffer} picture what the file holds
 */
export function avatarProblem ({ status, headers, body }, picture) {
  const { 'content-type': type = 'none', etag = 'none' } = headers
  if (status !== 200) return `expected status 200, got ${status}`
  if (type !== 'image/png') return `expected Content-Type image/png, got ${type}`
  if (!body.equals(picture)) return 'the body differs from the file'
  if (!/^(W\/)?"[^"]*"$/.test(etag)) return `expected a quoted ETag, got ${etag}`
}
