import { makeUsers } from '../shared/users.js'
import { makeId, makePicture } from './pictures.js'

/**
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {object} User
 * @property {string} id
 * @property {string} email
 * @property {string} firstName
 * @property {string} lastName
 * @property {string} password
 *
 * @typedef {object} Known
 * @property {User[]} users
 * @property {User} damaged has a stored hash whose last half byte is wrong: nobody can log in with it
 * @property {{ secret: string, tokenTtlSeconds: number }} config
 * @property {Record<string, string>} avatars base64, by id; nobody changes these
 * @property {string[]} changing ids whose avatars checks rewrite on disk
 * @property {string[]} without ids that have no avatar; a check gives them one and takes it away again
 * @property {number} hashMs what one hash takes on this machine
 * @property {number} connections of the load
 */

// Fixed, so that login.json can be sent and this avatar be asked for by hand; the password is as unknown as the others.
const fixedEmail = 'someone@shop.example'
const fixedId = '5c0ffee0-0000-4000-8000-000000000009'
const userCount = 7
const memberCount = 25

/**
 * @param {Random} random
 * @param {{ connections: number, speed: number }} options speed: of a core, 1 or less
 * @returns {Promise<{ files: Record<string, string | Uint8Array>, data: Known }>}
 */
export async function makeData (random, { connections, speed }) {
  const { users, passwords, hashMs } = await makeUsers(random.fork('users'), { count: userCount + 1, speed })
  passwords[fixedEmail] = passwords[users[0].email]
  Object.assign(users[0], { id: fixedId, email: fixedEmail })
  const damaged = users[users.length - 1]
  // Tells a comparison of all 512 bytes from a comparison of the first few.
  damaged.hash = damaged.hash.slice(0, -1) + (damaged.hash.endsWith('0') ? '1' : '0')
  const config = { secret: random.bytes(32).toString('hex'), tokenTtlSeconds: random.int(10, 20) * 60 }

  const pictures = random.fork('avatars')
  const members = Array.from({ length: memberCount }, () => makeId(pictures))
  const changing = Array.from({ length: 4 }, () => makeId(pictures))
  const without = Array.from({ length: 3 }, () => makeId(pictures))
  const avatars = Object.fromEntries(
    [...users.map(({ id }) => id), ...members].map((id) => [id, makePicture(pictures)])
  )
  const drawn = { ...avatars, ...Object.fromEntries(changing.map((id) => [id, makePicture(pictures)])) }

  const known = users.map(({ id, email, firstName, lastName }) => ({
    id,
    email,
    firstName,
    lastName,
    password: passwords[email]
  }))
  return {
    files: {
      'users.json': JSON.stringify(users, null, 2),
      'config.json': JSON.stringify(config, null, 2),
      ...Object.fromEntries(Object.entries(drawn).map(([id, picture]) => [`${id}.png`, picture]))
    },
    data: {
      users: known.slice(0, -1),
      damaged: known[known.length - 1],
      config,
      avatars: Object.fromEntries(Object.entries(avatars).map(([id, picture]) => [id, picture.toString('base64')])),
      changing,
      without,
      hashMs,
      connections
    }
  }
}
