import { randomBytes, timingSafeEqual, webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { STATUS_CODES, createServer } from 'node:http'
import { join } from 'node:path'

const { PORT, HOST, DATA_DIR } = process.env
const users = new Map()
for (const { username, salt, hash } of JSON.parse(await readFile(join(DATA_DIR, 'users.json'), 'utf8'))) {
  users.set(username, { salt: Buffer.from(salt, 'hex'), hash: Buffer.from(hash, 'hex') })
}
const routes = { '/newUser': register, '/auth': authenticate }

createServer((req, res) => {
  // Behind a host, since a path that begins with // would be taken for one.
  const { pathname, searchParams } = new URL('http://server' + req.url)
  if (pathname === '/healthz') {
    res.setHeader('Content-Type', 'application/json')
    return res.end('{"status":"ok"}')
  }
  const route = Object.hasOwn(routes, pathname) ? routes[pathname] : () => 404
  const [username, password] = ['username', 'password'].map((name) => {
    const values = searchParams.getAll(name)
    return values.length === 1 ? values[0] : ''
  })
  Promise.resolve(username && password ? route(username, password) : 400)
    .catch((error) => {
      console.error(error)
      return 500
    })
    .then((status) => {
      res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' })
      res.end(STATUS_CODES[status])
    })
}).listen(Number(PORT), HOST)

async function register (username, password) {
  if (users.has(username)) return 409
  const user = { salt: randomBytes(128), hash: null }
  users.set(username, user)
  try {
    user.hash = await derive(password, user.salt)
    return 200
  } catch (error) {
    users.delete(username)
    throw error
  }
}

async function authenticate (username, password) {
  const user = users.get(username)
  if (!user?.hash) return 401
  return timingSafeEqual(await derive(password, user.salt), user.hash) ? 200 : 401
}

async function derive (password, salt) {
  const key = await webcrypto.subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 8000 }
  return Buffer.from(await webcrypto.subtle.deriveBits(algorithm, key, 512 * 8))
}
