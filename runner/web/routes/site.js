import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
// @ts-expect-error express brings no types
import express from 'express'
import { newestReport } from '../../profiling/index.js'
import { shownPath } from '../../shown-path.js'
import { openLesson, readComparison, readLessonPage } from '../lessons.js'
import { comparePage, homePage, lessonPage, profilePage } from '../pages/index.js'
import { refuse } from '../../http/index.js'
import { reportFile, vendorFile } from '../vendor.js'

/** @import { Workshop } from '../app.js' */

const browser = fileURLToPath(new URL('../browser/', import.meta.url))
const pictures = /\.(png|svg)$/i

/** A picture runs nothing, even when it is opened by itself. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** A report is one file with everything in it; it may draw itself, and reach nothing. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; " +
  "frame-ancestors 'self'; sandbox allow-scripts"

/** The pages, and what they load. @param {Workshop} workshop */
export function siteRoutes ({ env, token, saves, readState }) {
  const site = express.Router()
  /** A browser asks again, and is told that nothing has changed. @param {any} res */
  const setHeaders = (res) => res.set('Cache-Control', 'no-cache')

  // The same paths as below runner/: so modules that run here and there find each other.
  const onlyFiles = { index: false, redirect: false, dotfiles: 'ignore', setHeaders }
  site.use('/static/web/browser', express.static(browser, onlyFiles))

  const sendKnown = (/** @type {any} */ res, /** @type {string | null} */ file) => {
    if (file === null) throw refuse(404, 'There is no such file.')
    setHeaders(res)
    res.sendFile(file, { dotfiles: 'allow' })
  }
  site.get('/static/report/*path', (/** @type {any} */ req, /** @type {any} */ res) =>
    sendKnown(res, reportFile(req.params.path)))
  site.get('/vendor/:name', (/** @type {any} */ req, /** @type {any} */ res) =>
    sendKnown(res, vendorFile(req.params.name)))

  site.get('/', async (/** @type {any} */ req, /** @type {any} */ res) => {
    res.send(homePage({ token, ...await readState() }))
  })

  site.get('/lessons/:slug', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const entry = await openLesson(req.params.slug, env)
    if (req.params.slug !== entry.id) return res.redirect(`/lessons/${entry.id}`)
    saves.watch(entry)
    res.send(lessonPage({ token, ...await readLessonPage(entry, env) }))
  })

  site.get('/lessons/:slug/compare', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const other = req.query.with ?? 'slow'
    if (other !== 'slow' && other !== 'solution') throw refuse(400, 'Yours is compared with slow or with solution.')
    const entry = await openLesson(req.params.slug, env)
    res.send(comparePage({ token, ...await readComparison(entry, other) }))
  })

  site.get('/lessons/:slug/profile', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const entry = await openLesson(req.params.slug, env)
    const { id: slug, number, lesson: { title } } = entry
    const found = newestReport(entry)
    const report = found && {
      url: `/lessons/${slug}/profile/report`,
      name: found.name,
      madeAt: found.madeAt.toISOString()
    }
    const own = path.join(entry.workspaceDir, entry.file)
    const text = await fs.readFile(own, 'utf8').catch(() => null)
    const source = text === null ? null : { shown: shownPath(own), text }
    res.send(profilePage({ token, slug, number, title, report, source }))
  })

  site.get('/lessons/:slug/profile/report', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const found = newestReport(await openLesson(req.params.slug, env))
    if (found === null) throw refuse(404, 'No profile was made yet.')
    res.set('Content-Security-Policy', reportPolicy)
    res.sendFile(found.file, { dotfiles: 'allow', cacheControl: false })
  })

  site.get('/lessons/:slug/files/*path', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const { dir } = await openLesson(req.params.slug, env)
    const file = await pictureIn(dir, req.params.path)
    if (file === null) throw refuse(404, 'There is no such picture.')
    res.set('Content-Security-Policy', picturePolicy)
    setHeaders(res)
    res.sendFile(file, { dotfiles: 'allow' })
  })

  site.use(() => { throw refuse(404, 'There is no such page: the first page lists all lessons.') })
  return site
}

/**
 * @param {string} dir
 * @param {string[]} parts as they came
 * @returns {Promise<string | null>} its real path, if that lies in `dir`
 */
async function pictureIn (dir, parts) {
  if (parts.some((part) => /^\.|[\\/\0]/.test(part)) || !pictures.test(parts.at(-1) ?? '')) return null
  try {
    const [home, file] = await Promise.all([fs.realpath(dir), fs.realpath(path.join(dir, ...parts))])
    return file.startsWith(home + path.sep) && pictures.test(file) ? file : null
  } catch {
    return null
  }
}
