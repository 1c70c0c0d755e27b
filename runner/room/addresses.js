import os from 'node:os'

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

/** @param {string} host */
function inUrl (host) {
  return host.includes(':') ? `[${host}]` : host
}
