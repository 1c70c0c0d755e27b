import path from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { refuse } from './refuse.js'

/** @import { Response } from 'express' */

/** Modules that browsers may load, by area. */
const layouts = ['axis', 'gate-columns', 'preview-notes', 'marks', 'numbers', 'when'].map((name) => `layout/${name}`)
const reports = ['browser', 'html', 'progress', ...layouts]
const shared = [...reports.map((name) => `report/${name}.js`), 'http/browser.js', 'format.js']

const runner = fileURLToPath(new URL('../', import.meta.url))

/**
 * What pages load, under the same paths as below runner/: so modules that run in both places find each other.
 *
 * @param {string} room whose folder `browser` is served, with what all share
 */
export function assetRoutes (room) {
  const routes = express.Router()
  const onlyFiles = { index: false, redirect: false, dotfiles: 'ignore', setHeaders: askAgain }
  for (const name of [room, 'http']) {
    routes.use(`/static/${name}/browser`, express.static(path.join(runner, name, 'browser'), onlyFiles))
  }
  routes.get('/static/*path', (req, res) => sendKnown(res, sharedFile(req.params.path)))
  return routes
}

/** @param {readonly string[]} parts of the path below runner/, as received @returns {string | null} the file */
export function sharedFile (parts) {
  return shared.includes(parts.join('/')) ? path.join(runner, ...parts) : null
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
