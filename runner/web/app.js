import { createHmac, randomBytes } from 'node:crypto'
import path from 'node:path'
import express from 'express'
import { answerRest, guard, isApi, isEqual, refuse } from '../http/index.js'
import { html } from '../report/index.js'
import { readJson, writeFileAtomic } from '../workspace/index.js'
import { apiRoutes, siteRoutes } from './web-routes.js'

/**
 * @import { RequestHandler } from 'express'
 * @import { Allowed } from '../http/index.js'
 * @import { Services } from './web-routes.js'
 */

const missing = 'There is no such page: the first page lists all lessons.'

/**
 * @param {Services} services
 * @param {Allowed} allowed which requests are accepted
 * @param {Parameters<typeof signIn>[0]} browsers which browsers are signed in
 * @returns {import('node:http').RequestListener}
 */
export function createApp (services, allowed, browsers) {
  const app = express()
  app.disable('x-powered-by')
  app.use(guard(allowed), signIn(browsers))
  app.use('/api', apiRoutes(services))
  app.use(siteRoutes(services))
  app.use(...answerRest(services.env, { missing, home: '/' }))
  return app
}

/**
 * Signs in browsers that follow one of our links: its token works once, and sets a cookie that identifies them
 * from then on. Scripts, styles and pictures need no sign-in.
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
<link rel="icon" href="/static/runner/http/browser/icon.svg" type="image/svg+xml">
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

/**
 * What only this user's processes can make: all of it comes from one secret in a file that only this user may read.
 *
 * @typedef {object} Running a workshop that is open
 * @property {string} url
 * @property {string} start tells it from any other
 *
 * @typedef {Running & { proof: string }} Published
 */

const version = 1

/** @param {string} workspace @returns {Promise<string | null>} null: missing or unreadable */
export async function readSecret (workspace) {
  const { value } = await readJson(fileOf(workspace))
  return value?.version === version && typeof value.secret === 'string' && value.secret !== '' ? value.secret : null
}

/**
 * It stays the same, so that browsers stay signed in.
 *
 * @param {string} workspace
 * @returns {Promise<string>}
 * @throws {import('../shared/errors.js').WorkshopError} it cannot be written
 */
export async function madeSecret (workspace) {
  const known = await readSecret(workspace)
  if (known !== null) return known
  const secret = randomBytes(24).toString('base64url')
  await writeFileAtomic(fileOf(workspace), `${JSON.stringify({ version, secret })}\n`, { mode: 0o600 })
  return secret
}

/** @param {Running} running @param {string} secret @returns {Published} */
export function withProof ({ url, start }, secret) {
  return { url, start, proof: sealOf(secret, 'workshop', `${url} ${start}`) }
}

/** Is it a workshop on this machine that knows the secret? @param {any} published @param {string} secret */
export function isProven ({ url, start, proof } = {}, secret) {
  const isHere = /^http:\/\/127\.0\.0\.1:\d{1,5}\/$/.test(url)
  return isHere && isEqual(String(proof), withProof({ url, start }, secret).proof)
}

/** For one browser, once. @param {string} secret @param {string} start */
export function newToken (secret, start) {
  const once = randomBytes(12).toString('base64url')
  return `${once}.${sealOf(secret, 'link', `${start} ${once}`)}`
}

/** @param {string} token @param {{ secret: string, start: string }} given @returns {string | null} its single-use id */
export function readToken (token, { secret, start }) {
  const [once, seal = ''] = token.split('.')
  return isEqual(seal, sealOf(secret, 'link', `${start} ${once}`)) ? once : null
}

/** @param {string} secret @param {'workshop' | 'link' | 'cookie'} purpose @param {string} text */
export function sealOf (secret, purpose, text) {
  return createHmac('sha256', secret).update(`${purpose} ${text}`).digest('base64url')
}

/** @param {string} workspace */
function fileOf (workspace) {
  return path.join(workspace, 'browser.json')
}
