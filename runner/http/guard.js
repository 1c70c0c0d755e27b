import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from './refuse.js'

/**
 * Who may talk to us: pages of ours, under an address of ours or behind a forwarder that the environment names.
 *
 * @typedef {object} Asked
 * @property {string} method
 * @property {boolean} isApi
 * @property {string} [host] the headers, as they came
 * @property {string} [origin]
 * @property {string} [site] Sec-Fetch-Site
 * @property {string} [token] X-Token
 *
 * @typedef {object} Allowed
 * @property {string[]} hosts
 * @property {string[]} origins
 * @property {string | null} token what every writing request carries; null: the routes see to that themselves
 */

/**
 * Pure.
 *
 * @param {Asked} asked
 * @param {Allowed} allowed
 * @returns {string | null} a sentence: why the request is refused
 */
export function refusalOf ({ method, isApi, host = '', origin, site, token = '' }, allowed) {
  if (!allowed.hosts.includes(host.toLowerCase())) {
    return `The workshop isn’t available under that name: open ${allowed.origins[0]}/ instead.`
  }
  // A page of another port of this machine is same-site, and a stranger all the same.
  const isForeign = origin !== undefined && !allowed.origins.includes(origin)
  const isFromElsewhere = isApi && site !== undefined && site !== 'same-origin' && site !== 'none'
  if (isForeign || isFromElsewhere) return 'Another site sent this request: only the workshop’s own pages may.'
  const isWriting = method !== 'GET' && method !== 'HEAD'
  if (isWriting && allowed.token !== null && !isEqual(token, allowed.token)) {
    return 'This page is from before the workshop was restarted: reload it.'
  }
  return null
}

/**
 * Under which names browsers reach us. Pure.
 *
 * @param {number} port
 * @param {NodeJS.ProcessEnv} env GitHub Codespaces forwards a port under a host of its own
 * @param {object} [given]
 * @param {readonly string[]} [given.hosts] other names and addresses of ours, as they stand in a URL
 * @param {'http' | 'https'} [given.scheme]
 * @returns {Omit<Allowed, 'token'>}
 */
export function namesOf (port, env, { hosts = [], scheme = 'http' } = {}) {
  // Browsers leave out a port that is the usual one.
  const end = port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`
  const own = [...new Set([...hosts, '127.0.0.1', 'localhost'])].map((host) => `${host}${end}`.toLowerCase())
  const { CODESPACE_NAME: name, GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: domain } = env
  const forwarded = name && domain ? [`${name}-${port}.${domain}`.toLowerCase()] : []
  return {
    hosts: [...own, ...forwarded],
    origins: [...own.map((host) => `${scheme}://${host}`), ...forwarded.map((host) => `https://${host}`)]
  }
}

/** Nothing is loaded from anywhere else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join('; ')

/**
 * Refuses strangers, and gives every answer its headers.
 *
 * @param {Allowed} allowed
 * @returns {import('express').RequestHandler}
 */
export function guard (allowed) {
  return (req, res, next) => {
    res.set({
      'Content-Security-Policy': policy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store'
    })
    const { host, origin } = req.headers
    const [site, token] = [req.get('Sec-Fetch-Site'), req.get('X-Token')]
    const asked = { method: req.method, isApi: isApi(req.path), host, origin, site, token }
    const refusal = refusalOf(asked, allowed)
    next(refusal === null ? undefined : refuse(403, refusal))
  }
}

/** As express compares paths. @param {string} path */
export function isApi (path) {
  return /^\/api(\/|$)/i.test(path)
}

/** In the same time, whatever is given. @param {string} given @param {string} expected */
export function isEqual (given, expected) {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one, other)
}
