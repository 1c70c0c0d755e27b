import os from 'node:os'

/**
 * Under which addresses a server that listens on `host` is reached. Pure but for the default.
 *
 * @param {string} host as `listen` takes it; `0.0.0.0` and `::` are all addresses of this machine
 * @param {NodeJS.Dict<os.NetworkInterfaceInfo[]>} [interfaces]
 * @returns {string[]} as they stand in a URL, what others reach first
 */
export function addressesOf (host, interfaces = os.networkInterfaces()) {
  if (host !== '0.0.0.0' && host !== '::') return [inUrl(host)]
  const all = Object.values(interfaces).flatMap((list) => list ?? [])
  // Those of IPv6 that need no zone are rarely what a classroom's network gives; one of IPv4 is what people can type.
  const others = all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address)
  return others.length > 0 ? others : ['127.0.0.1']
}

/**
 * The address of the room that a page shows: the one that is asked for, that under which the page itself was reached,
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
  // Whoever looks from this machine shows it to others.
  const isForOthers = own !== undefined && !/^https?:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(own)
  return learners[Number(at ?? NaN)] ?? (isForOthers ? `${own}/${code}` : learners[0])
}

/** @param {string} host */
function inUrl (host) {
  return host.includes(':') ? `[${host}]` : host
}
