import { nearSecrets } from '../form/kinds.js'

/**
 * The club besides its map: members with their PINs, and huts with their free beds. A table of data, and what is drawn
 * from it.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ id: number, name: string, beds: number }} Hut
 *
 * @typedef {object} Club
 * @property {[name: string, pin: string][]} members
 * @property {Hut[]} huts
 */

const memberCount = 40
const hutCount = 12
const names = ['Adlerhütte', 'Refuge du Lac', 'Koča', 'Rifugio Nord', 'Windegg', 'Cabane', 'Steinhaus', 'Schronisko']
/** Written and read by the load alone, whose versions are its beds. */
export const busyHut = 1

/** @param {Random} random @returns {Club} */
export function makeClub (random) {
  return {
    members: Array.from({ length: memberCount }, (_, index) => [`${random.word(6)}${index}`, anyPin(random)]),
    huts: Array.from({ length: hutCount }, (_, index) => ({
      id: index + 1,
      name: `${random.pick(names)} “${random.word(5)}”`,
      beds: index + 1 === busyHut ? 0 : random.int(0, 80)
    }))
  }
}

/** @param {Random} random */
export function anyPin (random) {
  return String(random.int(1000, 9999))
}

/** Another one, which careless code may take for this one. @param {Random} random @param {string} pin */
export function wrongPin (random, pin) {
  if (random.pick([true, false])) return random.pick(nearSecrets(pin))
  return String(1000 + (Number(pin) - 1000 + random.int(1, 8999)) % 9000)
}

/** @param {Random} random @param {Hut[]} huts */
export function anyHut (random, huts) {
  return random.pick(huts.filter(({ id }) => id !== busyHut)).id
}

/** @param {string} session */
export function cookieOf (session) {
  return { cookie: `session=${session}` }
}
