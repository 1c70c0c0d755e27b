import { createHash, timingSafeEqual } from 'node:crypto'
import express from 'express'
import { WorkshopError } from '../shared/errors.js'

/**
 * Which requests are accepted: those of our own pages, at our addresses or behind a forwarder named by the environment.
 *
 * @typedef {object} Asked
 * @property {string} method
 * @property {boolean} isApi
 * @property {string} [host] the headers, as received
 * @property {string} [origin]
 * @property {string} [site] Sec-Fetch-Site
 * @property {string} [token] X-Token
 *
 * @typedef {object} Allowed
 * @property {string[]} hosts
 * @property {string[]} origins
 * @property {string | null} token what every writing request carries; null: the routes check that themselves
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
  // A page on another port of this machine is same-site, but still not ours.
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
 * The names under which browsers reach us. Pure.
 *
 * @param {number} port
 * @param {NodeJS.ProcessEnv} env GitHub Codespaces forwards a port under its own host
 * @param {object} [given]
 * @param {readonly string[]} [given.hosts] our other names and addresses, as written in a URL
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
 * Refuses foreign requests, and sets every answer's headers.
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

/** In constant time. @param {string} given @param {string} expected */
export function isEqual (given, expected) {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one, other)
}

/**
 * @param {number} status of HTTP
 * @param {string} sentence that names the way out
 * @returns {WorkshopError & { status: number }} to be thrown
 */
export function refuse (status, sentence) {
  return Object.assign(new WorkshopError(sentence), { status })
}

/** Rules for the input of a request: each returns it, or refuses it with the sentence and the status 400. Pure. */

/** @template {string} T @param {unknown} given @param {readonly T[]} all @param {string} sentence @returns {T} */
export function oneOf (given, all, sentence) {
  const found = all.find((one) => one === given)
  if (found === undefined) throw refuse(400, sentence)
  return found
}

/** @param {unknown} given @param {number} longest characters @param {string} sentence @returns {string} */
export function textUpTo (given, longest, sentence) {
  if (typeof given !== 'string' || given.length > longest) throw refuse(400, sentence)
  return given
}

/** @param {unknown} given @param {number} largest @param {string} sentence @returns {number} a whole one from 1 on */
export function numberUpTo (given, largest, sentence) {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 1 || given > largest) throw refuse(400, sentence)
  return given
}

/**
 * Reads a request's body as JSON, whatever type it claims: so it is always held to the limit.
 *
 * @param {string} limit `16kb`
 * @returns {import('express').RequestHandler[]} after which `req.body` is an object or an array, even without a body
 */
export function jsonBody (limit) {
  return [express.json({ limit, type: () => true }), (req, res, next) => {
    req.body ??= {}
    next()
  }]
}
