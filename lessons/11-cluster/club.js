import { nearSecrets } from '../form/kinds.js'

/**
 * The club besides its map: members with their PINs, and huts with their free beds.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {[name: string, pin: string]} Member
 * @typedef {{ id: number, name: string, beds: number }} Hut
 */

const names = ['Adlerhütte', 'Refuge du Lac', 'Koča', 'Rifugio Nord', 'Windegg', 'Cabane', 'Steinhaus', 'Schronisko']
/** Written and read by the load alone, whose versions are its beds. */
export const busyHut = 1

/** @param {Random} random @returns {{ members: Member[], huts: Hut[] }} */
export function makeClub (random) {
  return {
    members: Array.from({ length: 40 }, (_, index) => [`${random.word(6)}${index}`, anyPin(random)]),
    huts: Array.from({ length: 12 }, (_, index) => ({
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

/** With another PIN. @param {Random} random @param {Member} member @returns {Member} */
export function withWrongPin (random, [name, pin]) {
  if (random.pick([true, false])) return [name, random.pick(nearSecrets(pin))]
  return [name, String(1000 + (Number(pin) - 1000 + random.int(1, 8999)) % 9000)]
}

/** @param {Random} random @param {Hut[]} huts */
export function anyHut (random, huts) {
  return random.pick(huts.filter(({ id }) => id !== busyHut))
}
