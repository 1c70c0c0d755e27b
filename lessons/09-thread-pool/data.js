import { makeAccounts } from '../shared/logins.js'
import { uuid } from '../shared/users.js'
import { makePicture } from './pictures.js'

/**
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Accounts } from '../shared/logins.js'
 *
 * @typedef {Accounts & Pictures} Known
 *
 * @typedef {object} Pictures
 * @property {{ secret: string, tokenTtlSeconds: number }} config
 * @property {Record<string, string>} avatars base64, by id; these never change
 * @property {string[]} changing ids whose avatars are replaced and removed on disk
 * @property {number} connections of the load
 */

// Fixed, so that login.json can be sent and this avatar requested by hand; its password is as unknown as the others.
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
  const { stored, accounts } = await makeAccounts(random.fork('users'), {
    count: userCount,
    speed,
    first: { id: fixedId, email: fixedEmail }
  })
  const config = { secret: random.bytes(32).toString('hex'), tokenTtlSeconds: random.int(10, 20) * 60 }

  const pictures = random.fork('avatars')
  const members = Array.from({ length: memberCount }, () => uuid(pictures))
  const [first, ...others] = Array.from({ length: 3 }, () => uuid(pictures))
  // One that's only there once it has been put there.
  const changing = [first, pictures.word(8), ...others]
  const avatars = Object.fromEntries(
    [...stored.map(({ id }) => id), ...members].map((id) => [id, makePicture(pictures)])
  )
  const drawn = { ...avatars, ...Object.fromEntries([first, ...others].map((id) => [id, makePicture(pictures)])) }

  return {
    files: {
      'users.json': JSON.stringify(stored, null, 2),
      'config.json': JSON.stringify(config, null, 2),
      ...Object.fromEntries(Object.entries(drawn).map(([id, picture]) => [`${id}.png`, picture]))
    },
    data: {
      ...accounts,
      config,
      avatars: Object.fromEntries(Object.entries(avatars).map(([id, picture]) => [id, picture.toString('base64')])),
      changing,
      connections
    }
  }
}
