import { categories, languages, messages } from './reference.js'

/**
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Flag, Item, Session } from './reference.js'
 *
 * @typedef {object} Known
 * @property {Item[]} items
 * @property {Session[]} sessions every fifth has expired
 * @property {Session[]} brief sessions that expire while the servers run, one after the other
 * @property {Flag[]} flags
 * @property {{ sessionSecret: string, allowedOrigins: string[], bodyLimit: number }} config
 * @property {string} shop a word in the names of the allowed origins
 */

/**
 * A shop's items, its signed-in users, its feature flags and its settings.
 *
 * @param {{ random: Random }} given
 * @returns {{ files: Record<string, string>, data: Known }}
 */
export function makeData ({ random }) {
  const shop = random.word(7)
  const now = Date.now()
  const known = {
    shop,
    items: Array.from({ length: 400 }, (_, index) => makeItem(random, index + 1)),
    sessions: Array.from({ length: 600 }, (_, index) => makeSession(random, index)),
    brief: Array.from({ length: 200 }, (_, index) => ({
      ...makeSession(random, 600 + index),
      expiresAt: new Date(now + 1500 * (index + 1)).toISOString()
    })),
    flags: Array.from({ length: 32 }, () => ({
      key: `${random.word(5)}-${random.word(6)}`,
      enabled: random.int(1, 5) > 1,
      rollout: random.pick([0, 5, 25, 50, 75, 100])
    })),
    config: {
      sessionSecret: random.bytes(32).toString('hex'),
      allowedOrigins: [
        `https://${shop}.example`,
        `https://admin.${shop}.example:8443`,
        `https://*.${shop}-partners.example`
      ],
      bodyLimit: 8192
    }
  }
  return {
    files: {
      'items.json': JSON.stringify(known.items),
      'sessions.json': JSON.stringify([...known.sessions, ...known.brief]),
      'flags.json': JSON.stringify(known.flags),
      'config.json': JSON.stringify(known.config),
      'messages.json': JSON.stringify(messages)
    },
    data: known
  }
}

/**
 * @param {Random} random
 * @param {number} id
 * @returns {Item}
 */
function makeItem (random, id) {
  return {
    id,
    ...newItem(random),
    description: Array.from({ length: random.int(12, 30) }, () => random.word(random.int(2, 9))).join(' ')
  }
}

/**
 * An item without an id, as a client posts it.
 *
 * @param {Random} random
 */
export function newItem (random) {
  return {
    name: `${random.pick(adjectives)} ${random.pick(things)} ${random.word(4)}`,
    category: random.pick(categories),
    price: random.int(50, 250000) / 100,
    stock: random.int(0, 300)
  }
}

/**
 * @param {Random} random
 * @param {number} index
 * @returns {Session}
 */
function makeSession (random, index) {
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  return {
    id: random.bytes(18).toString('base64url'),
    user: { id: `u${random.int(100000, 999999)}${index}`, name, email: `${random.word(8)}@example.com` },
    // Far from now on either side: no clock decides a check.
    expiresAt:
      index % 5 === 4
        ? `20${random.int(10, 19)}-0${random.int(1, 9)}-11T08:30:00.000Z`
        : `21${random.int(10, 99)}-0${random.int(1, 9)}-11T08:30:00.000Z`,
    seen: random.pick(languages),
    cart: Array.from({ length: random.int(0, 5) }, () => ({ itemId: random.int(1, 400), count: random.int(1, 3) }))
  }
}

const adjectives = [
  'Plain',
  'Café',
  'Folding',
  'Oak',
  'Löwen',
  'Enamel',
  'Travel',
  'Señor',
  'Giant',
  'Quiet',
  'Winter',
  'Brass'
]
const things = [
  'Lamp',
  'Kettle',
  'Crate',
  'Brush',
  'Stool',
  'Table',
  'Knife',
  'Teapot',
  'Rug',
  'Clock',
  'Basket',
  'Mirror'
]
const firstNames = [
  'Ada',
  'Björn',
  'Chloé',
  'Daniel',
  'Farid',
  'Grace',
  'Ingrid',
  'José',
  'Kenji',
  'Łucja',
  'Mei',
  'Noor'
]
const lastNames = [
  'Andersen',
  'Brontë',
  'Castro',
  'Eriksson',
  'García',
  'Hopper',
  'Ivanova',
  'Kovács',
  'Müller',
  'Okafor'
]
