import { createHash } from 'node:crypto'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { WorkshopError } from '../shared/errors.js'
import { dataElement, html, withCode } from '../report/browser.js'
import { isApi, refuse } from './guard.js'

/**
 * @import { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
 * @import { Html } from '../report/browser.js'
 *
 * @typedef {{ token: string }} Token what requests of a page carry
 */

/**
 * The frame of every page. Styles and scripts are files: the policy of the server allows nothing in the page.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} [page.token] that requests of this page carry
 * @param {Html} page.main
 * @param {Html} [page.above] what comes above it
 * @param {Html} [page.skip] a further link for those who don't use a mouse, to another part of the page
 * @param {string} [page.name] what the styles call this page
 * @param {string | null} [page.home] where the name of the workshop leads; null: nowhere
 * @param {Html} [page.nav] next to the name of the workshop
 * @param {string[]} [page.styles] addresses
 * @param {string[]} [page.scripts] addresses of modules
 * @param {string} [page.parts] the address of the stream of its parts
 * @param {unknown} [page.data] for the scripts: `readData` of `http/browser.js`
 * @returns {string} HTML
 */
export function frame ({
  title, token = '', main, above = html``, skip = html``, name = '', home = '/', nav = html``, styles = [],
  scripts = [], parts, data
}) {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="token" content="${token}">
<title>${title}</title>
<link rel="icon" href="/static/runner/http/browser/icon.svg" type="image/svg+xml">
${['/static/runner/http/browser/style.css', ...styles].map((href) => html`<link rel="stylesheet" href="${href}">`)}
${scripts.map((src) => html`<script src="${src}" type="module"></script>`)}
</head>
<body class="${name}"${parts === undefined ? '' : html` data-parts="${parts}"`}>
<a class="skip" href="#main">Skip to the content</a>${skip}
<header class="top">${home === null
    ? html`<span class="home">Make It Fast</span>`
    : html`<a class="home" href="${home}">Make It Fast</a>`}${nav}</header>
${above}
<main id="main" tabindex="-1">
${main}
</main>
${data === undefined ? '' : dataElement(data)}
</body>
</html>
`)
}

/**
 * The end of an express app: what no route answered is a 404, and every error becomes one sentence, as JSON or
 * as a page.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {object} given
 * @param {string} given.missing the sentence of a 404
 * @param {'/' | null} given.home where its link leads; null: no link
 * @returns {[RequestHandler, ErrorRequestHandler]}
 */
export function answerRest (env, { missing, home }) {
  return [() => { throw refuse(404, missing) }, (error, req, res, next) => {
    if (res.headersSent) return next(error)
    const status = error.status ?? (error instanceof WorkshopError ? 409 : 500)
    const message = sentenceOf(error, status, missing)
    if (status >= 500 && env.MAKE_IT_FAST_DEBUG === '1') console.error(error)
    res.status(status)
    if (isApi(req.path)) res.json({ error: message, field: error.field })
    else res.send(errorPage(status === 404 ? 'Not found' : 'That did not work', message, status === 401 ? null : home))
  }]
}

/** @param {string} title @param {string} message a sentence @param {'/' | null} home */
function errorPage (title, message, home) {
  const way = home === null ? '' : html`<p><a href="${home}">All lessons</a></p>`
  const main = html`<h1>${title}</h1><p>${withCode(message)}</p>${way}`
  return frame({ title: `${title} · Make It Fast`, home, main })
}

/** @param {any} error @param {number} status @param {string} missing */
function sentenceOf (error, status, missing) {
  if (error instanceof WorkshopError) return error.message
  // The error of express's body parser names the limit.
  if (status === 413) return `That is too long: at most ${Math.floor(error.limit / 1024)} kB are accepted.`
  if (status === 404) return missing
  if (status < 500) return 'This request makes no sense here.'
  return 'This is a bug in the workshop, not in your server. Started with MAKE_IT_FAST_DEBUG=1, it shows where: ' +
    error.message
}

/** Modules that browsers may load. */
const shared = ['runner/http/browser.js', 'runner/report/browser.js']

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * What pages load, under the same paths as below the root: so modules that run in both places find each other.
 *
 * @param {string} room whose folder `browser` is served, with what all share
 */
export function assetRoutes (room) {
  const routes = express.Router()
  const onlyFiles = { index: false, redirect: false, dotfiles: 'ignore', setHeaders: askAgain }
  for (const name of [room, 'runner/http']) {
    routes.use(`/static/${name}/browser`, express.static(path.join(root, name, 'browser'), onlyFiles))
  }
  routes.get('/static/*path', (req, res) => sendKnown(res, sharedFile(req.params.path)))
  return routes
}

/** @param {readonly string[]} parts of the path below the root, as received @returns {string | null} the file */
export function sharedFile (parts) {
  return shared.includes(parts.join('/')) ? path.join(root, ...parts) : null
}

/** @param {Response} res @param {string | null} file null: not found @throws with a status */
function sendKnown (res, file) {
  if (file === null) throw refuse(404, 'There is no such file.')
  askAgain(res)
  res.sendFile(file, { dotfiles: 'allow' })
}

/** A picture runs no scripts, even when it's opened by itself. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** @param {Response} res @param {string | null} file null: not found @throws with a status */
export function sendPicture (res, file) {
  if (file === null) throw refuse(404, 'There is no such picture.')
  res.set('Content-Security-Policy', picturePolicy)
  sendKnown(res, file)
}

/** Browsers revalidate, and get a 304 if nothing changed. @param {import('node:http').ServerResponse} res */
function askAgain (res) {
  res.setHeader('Cache-Control', 'no-cache')
}

/**
 * Text made from data is made once per version, and a browser that has it gets a 304.
 *
 * @returns {(req: Request, res: Response, wanted: { key: string, version: string | number, type: string },
 *   make: () => string | Promise<string>) => Promise<void>} key: of what is made, of which there are few; version: of
 *   what it is made of
 */
export function createKept () {
  /** @type {Map<string, { version: string | number, text: string, tag: string }>} */
  const kept = new Map()
  return async (req, res, { key, version, type }, make) => {
    let found = kept.get(key)
    if (found?.version !== version) {
      const text = await make()
      found = { version, text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
      kept.set(key, found)
    }
    // Revalidated each time, since the content changes.
    res.set({ ETag: found.tag, 'Cache-Control': 'private, no-cache' })
    if (req.get('If-None-Match') === found.tag) res.status(304).end()
    else res.type(type).send(found.text)
  }
}
