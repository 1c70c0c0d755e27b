import { namesOf } from '../http/index.js'
import { addressesOf } from './addresses.js'

/**
 * The addresses of a room. Pure but for the addresses of this machine.
 *
 * @param {object} given
 * @param {string} given.host on which it listens
 * @param {number} given.port
 * @param {NodeJS.ProcessEnv} given.env
 * @param {string} [given.publicOrigin] at which others reach it: `https://room.example`
 * @param {boolean} given.isEncrypted by the room itself
 */
export function waysIn ({ host, port, env, publicOrigin, isEncrypted }) {
  const scheme = isEncrypted ? 'https' : 'http'
  const addresses = addressesOf(host)
  const { hosts, origins } = namesOf(port, env, { hosts: addresses, scheme })
  const shown = publicOrigin ? [publicOrigin] : addresses.map((address) => `${scheme}://${address}:${port}`)
  const own = `${scheme}://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : addresses[0]}:${port}`
  return {
    names: publicOrigin === undefined
      ? { hosts, origins }
      : { hosts: [...hosts, new URL(publicOrigin).host], origins: [publicOrigin, ...origins] },
    learners: (/** @type {string} */ code) => shown.map((origin) => `${origin}/${code}`),
    // A certificate is for the public name; a path through a proxy would be longer.
    instructor: (/** @type {string} */ secret) => `${isEncrypted ? shown[0] : own}/class#${secret}`
  }
}
