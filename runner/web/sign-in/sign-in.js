import { isApi, isEqual, refuse } from '../../http/index.js'
import { html } from '../../report/index.js'
import { readToken, sealOf } from './secret.js'

/**
 * Signs in browsers that follow one of our links: its token works once, and sets a cookie that identifies them
 * from then on. Scripts, styles and pictures need no sign-in.
 *
 * @import { RequestHandler } from 'express'
 *
 * @param {object} given
 * @param {string} given.secret
 * @param {string} given.start of this workshop
 * @param {number} given.port cookies are for all ports of a machine
 * @returns {RequestHandler}
 */
export function signIn ({ secret, start, port }) {
  const name = `make-it-fast-${port}`
  const value = sealOf(secret, 'cookie', String(port))
  /** @type {Set<string>} */
  const used = new Set()
  const isNew = (/** @type {unknown} */ token) => {
    const once = typeof token === 'string' ? readToken(token, { secret, start }) : null
    return once !== null && !used.has(once) && used.add(once)
  }
  return (req, res, next) => {
    if (/^\/static\//.test(req.path)) return next()
    const token = req.path === '/' && req.method === 'GET' ? req.query.token : undefined
    if (isNew(token)) {
      res.cookie(name, value, { httpOnly: true, sameSite: 'strict', maxAge: keptMs })
      return res.send(onwardPage('/'))
    }
    if (isEqual(cookieOf(req.get('Cookie'), name), value)) return token === undefined ? next() : res.redirect('/')
    if (isLedFromElsewhere(req)) return res.send(onwardPage(token === undefined ? req.originalUrl : '/'))
    throw refuse(401, 'This browser is not signed in to the workshop: run `npm start` in another terminal of this ' +
      'machine, and open the link that it prints.')
  }
}

const keptMs = 90 * 24 * 3_600_000

/** From a page elsewhere a browser sends no strict cookie along: ours, in between, asks again. @param {string} place */
function onwardPage (place) {
  const here = `/${place.replace(/^[/\\]+/, '')}`
  return String(html`<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=${here}">
<title>Make It Fast</title>
<link rel="icon" href="/static/http/browser/icon.svg" type="image/svg+xml">
<p><a href="${here}">Open the workshop</a></p>
`)
}

/** @param {import('express').Request} req */
function isLedFromElsewhere (req) {
  return req.method === 'GET' && !isApi(req.path) && req.get('Sec-Fetch-Mode') === 'navigate' &&
    req.get('Sec-Fetch-Site') === 'cross-site'
}

/** @param {string} [header] @param {string} [name] @returns {string} empty if missing */
function cookieOf (header = '', name) {
  const pairs = header.split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([given]) => given === name)?.[1] ?? ''
}
