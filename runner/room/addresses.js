import os from 'node:os'
import { namesOf } from '../http/index.js'

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

/**
 * The addresses at which a server that listens on `host` is reached. Pure but for the default.
 *
 * @param {string} host as `listen` takes it; `0.0.0.0` and `::` are all addresses of this machine
 * @param {NodeJS.Dict<os.NetworkInterfaceInfo[]>} [interfaces]
 * @returns {string[]} as written in a URL, those that others reach first
 */
export function addressesOf (host, interfaces = os.networkInterfaces()) {
  if (host !== '0.0.0.0' && host !== '::') return [inUrl(host)]
  const all = Object.values(interfaces).flatMap((list) => list ?? [])
  // A classroom's network rarely gives IPv6 addresses that need no zone, and people can type an IPv4 address.
  const others = all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address)
  return others.length > 0 ? others : ['127.0.0.1']
}

/** @param {string} host */
function inUrl (host) {
  return host.includes(':') ? `[${host}]` : host
}

/**
 * The room's address that a page shows: the one requested, the one at which the page itself was reached,
 * or the first. Pure.
 *
 * @param {object} given
 * @param {readonly string[]} given.learners addresses, each with the code
 * @param {readonly string[]} given.origins of ours
 * @param {string} given.code
 * @param {string} given.host as the browser names it
 * @param {unknown} given.at which of the learners' addresses, from 0
 * @returns {string}
 */
export function shownAddress ({ learners, origins, code, host, at }) {
  const own = origins.find((origin) => new URL(origin).host === host)
  // A page opened on this machine is shown to others.
  const isForOthers = own !== undefined && !/^https?:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(own)
  return learners[Number(at ?? NaN)] ?? (isForOthers ? `${own}/${code}` : learners[0])
}
