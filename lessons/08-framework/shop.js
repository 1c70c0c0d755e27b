import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * A shop's items, its signed-in users, its feature flags and its settings.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ id: string, user: { id: string }, expiresAt: string }} Session
 */

export const categories = ['kitchen', 'living', 'garden', 'office', 'travel']
/** By language and code; English where one is missing. @type {Record<string, Record<string, string>>} */
export const messages = JSON.parse(readFileSync(new URL('messages.json', import.meta.url), 'utf8'))
export const languages = Object.keys(messages)

const adjectives = 'Plain Café Folding Oak Löwen Enamel Travel Señor Giant Quiet Winter Brass'.split(' ')
const things = 'Lamp Kettle Crate Brush Stool Table Knife Teapot Rug Clock Basket Mirror'.split(' ')
const firstNames = 'Ada Björn Chloé Daniel Farid Grace Ingrid José Kenji Łucja Mei Noor'.split(' ')
const lastNames = 'Andersen Brontë Castro Eriksson García Hopper Ivanova Kovács Müller Okafor'.split(' ')

/** @param {{ random: Random }} given */
export function makeShop ({ random }) {
  const shop = random.word(7)
  const now = Date.now()
  return {
    items: Array.from({ length: 400 }, (_, index) => ({
      id: index + 1,
      ...makeItem(random),
      description: Array.from({ length: random.int(12, 30) }, () => random.word(random.int(2, 9))).join(' ')
    })),
    sessions: Array.from({ length: 800 }, (_, index) => ({
      id: random.bytes(18).toString('base64url'),
      user: {
        id: `u${random.int(100000, 999999)}${index}`,
        name: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
        email: `${random.word(8)}@example.com`
      },
      // Every fifth expired long ago; the last 200 expire while the servers run, one after the other.
      expiresAt: index < 600
        ? `${index % 5 === 4 ? 20 : 21}${random.int(10, 19)}-0${random.int(1, 9)}-11T08:30:00.000Z`
        : new Date(now + 1500 * (index - 599)).toISOString(),
      seen: random.pick(languages),
      cart: Array.from({ length: random.int(0, 5) }, () => ({ itemId: random.int(1, 400), count: random.int(1, 3) }))
    })),
    flags: Array.from({ length: 32 }, () => ({
      key: `${random.word(5)}-${random.word(6)}`,
      enabled: random.int(1, 5) > 1,
      rollout: random.pick([0, 5, 25, 50, 75, 100])
    })),
    config: {
      sessionSecret: random.bytes(32).toString('hex'),
      allowedOrigins: [`${shop}.example`, `admin.${shop}.example:8443`, `*.${shop}-partners.example`]
        .map((host) => `https://${host}`),
      bodyLimit: random.int(6000, 12000)
    },
    messages
  }
}

/** An item without an id, as a client posts it. @param {Random} random */
export function makeItem (random) {
  return {
    name: `${random.pick(adjectives)} ${random.pick(things)} ${random.word(4)}`,
    category: random.pick(categories),
    price: random.int(50, 250000) / 100,
    stock: random.int(0, 300)
  }
}

/** The value of the cookie `sid`. @param {Session} session @param {string} secret */
export function sidOf ({ id }, secret) {
  return `${id}.${createHmac('sha256', secret).update(id).digest('base64url')}`
}

/** The signed-in user. @param {Session} session @param {{ key: string, enabled: boolean, rollout: number }[]} flags */
export function meOf ({ user }, flags) {
  const hash = (/** @type {string} */ key) => createHash('sha256').update(`${key}:${user.id}`).digest().readUInt32BE()
  const features = flags.filter(({ key, enabled, rollout }) => enabled && hash(key) % 100 < rollout)
  return { ...user, features: features.map(({ key }) => key) }
}
