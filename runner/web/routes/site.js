import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import express from 'express'
import { findComparison, listComparisons } from '../comparisons.js'
import { openLesson, readComparison, readLessonPage } from '../page-data.js'
import { assetRoutes, oneOf, refuse, sendPicture } from '../../http/index.js'
import { readText } from '../../lesson/index.js'
import {
  comparePage, comparisonPage, comparisonsPage, docPage, homePage, isDoc, lessonPage, profilePage
} from '../pages/index.js'
import { pictureIn } from '../pictures.js'
import { readProfile, readReport } from '../read-profile.js'
import { workshopRoot } from '../../workshop.js'

/**
 * @import { Around } from '../pages/room-bar.js'
 * @import { Workshop } from '../workshop.js'
 */

/** A report is one file with everything in it; it may draw itself, and reach nothing. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; " +
  "frame-ancestors 'self'; sandbox allow-scripts"

const gzip = promisify(zlib.gzip)

/** Lesson packs have none. */
const docs = path.join(workshopRoot, 'docs')

/** The pages, and what they load. @param {Workshop} workshop */
export function siteRoutes ({ env, token, jobs, saves, classroom, doctor, readState }) {
  const site = express.Router()
  const around = async () => ({ token, classroom: await classroom.read(), fitness: doctor.read() })
  site.use(assetRoutes('web'))

  site.get('/', async (req, res) => {
    res.send(homePage({ token, ...await readState() }))
  })

  site.get('/docs/:name', async (req, res) => {
    const { name } = req.params
    if (!isDoc(name)) throw refuse(404, 'There is no such page: the first page has links to them all.')
    const text = await readText(path.join(docs, `${name}.md`), { root: workshopRoot })
    res.send(docPage({ ...await around(), name, text }))
  })

  site.get('/docs/files/*path', async (req, res) => {
    sendPicture(res, await pictureIn(docs, req.params.path))
  })

  site.get('/lessons/:slug', async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    if (req.params.slug !== entry.id) return res.redirect(`/lessons/${entry.id}`)
    saves.watch(entry)
    res.send(lessonPage({ ...await around(), ...await readLessonPage(entry, env, jobs.lastOf(entry.id)) }))
  })

  site.get('/lessons/:slug/compare', async (req, res) => {
    const other = oneOf(req.query.with ?? 'slow', ['slow', 'solution'], 'Yours is compared with slow or with solution.')
    const entry = await openLesson(req.params.slug, env)
    res.send(comparePage({ ...await around(), ...await readComparison(entry, other) }))
  })

  site.get('/lessons/:slug/profile', async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    const profile = await readProfile(entry, req.query)
    saves.watch(entry)
    res.send(profilePage({ ...await around(), ...profile }))
  })

  site.get('/lessons/:slug/profile/report', async (req, res) => {
    const { file } = await readReport(await openLesson(req.params.slug, env), req.query)
    await sendReport(req, res, file)
  })

  site.get('/lessons/:slug/files/*path', async (req, res) => {
    const { dir } = await openLesson(req.params.slug, env)
    sendPicture(res, await pictureIn(dir, req.params.path))
  })
  return site.use('/comparisons', comparisonRoutes({ env, jobs, around }))
}

/** @param {Pick<Workshop, 'env' | 'jobs'> & { around: () => Promise<Around> }} given */
function comparisonRoutes ({ env, jobs, around }) {
  const comparisons = express.Router()
  comparisons.get('/', async (req, res) => {
    res.send(comparisonsPage({ ...await around(), ...await listComparisons(env, jobs.current()) }))
  })

  comparisons.get('/:id', async (req, res) => {
    res.send(comparisonPage({ ...await around(), ...await findComparison(req.params.id, env, jobs.current()) }))
  })

  comparisons.get('/:id/report', async (req, res) => {
    const { profile } = await findComparison(req.params.id, env, null)
    if (profile === null) throw refuse(404, 'There’s no such profile.')
    await sendReport(req, res, profile.file)
  })
  return comparisons
}

/** @param {express.Request<any>} req @param {express.Response} res @param {string} file of a profile */
async function sendReport (req, res, file) {
  const report = await fs.readFile(file)
  res.set({ 'Content-Security-Policy': reportPolicy, Vary: 'Accept-Encoding' }).type('html')
  if (!req.acceptsEncodings('gzip')) return res.send(report)
  res.set('Content-Encoding', 'gzip').send(await gzip(report))
}
