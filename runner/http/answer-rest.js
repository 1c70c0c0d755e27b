import { WorkshopError } from '../errors.js'
import { html, withCode } from '../report/index.js'
import { frame } from './frame.js'
import { isApi } from './guard.js'
import { refuse } from './refuse.js'

/**
 * The end of an express app: what no route answered is a 404, and every error becomes one sentence, as JSON or
 * as a page.
 *
 * @import { ErrorRequestHandler, RequestHandler } from 'express'
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
