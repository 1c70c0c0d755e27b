import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import jwt from 'jsonwebtoken'

const { users, secret } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR ?? '.', 'users.json'), 'utf8'))
const byEmail = new Map(users.map((user) => [user.email, user]))
const threads = Array.from({ length: 2 }, () => new Worker(new URL('hash-thread.js', import.meta.url)))

/** A token for an hour, or nothing if the password is wrong. */
export async function logIn (email, password) {
  const user = byEmail.get(email)
  if (!user || !timingSafeEqual(await hash(password, user), Buffer.from(user.hash, 'hex'))) return
  return jwt.sign({ name: `${user.firstName} ${user.lastName}` }, secret, { subject: user.id, expiresIn: '1h' })
}

/** Who bears this token, if it is one of ours. */
export function userOf (authorization) {
  try {
    return jwt.verify(/^Bearer (\S+)$/.exec(authorization)?.[1], secret, { algorithms: ['HS256'] })
  } catch {
    return undefined
  }
}

function hash (password, { salt, iterations, digest }) {
  // The threads take turns, and each answer comes on a port of its own.
  const thread = threads.shift()
  threads.push(thread)
  const { port1, port2 } = new MessageChannel()
  thread.postMessage({ password, salt, iterations, digest, port: port2 }, [port2])
  return new Promise((resolve) => port1.once('message', resolve))
}
