import os from 'node:os'
import { concludeFitness, examineAtRest, examineUnderLoad } from '../check/index.js'
import { createPartStream, createShare, refuse } from '../http/index.js'
import { serveOne } from '../load/index.js'
import { coreSpeed, cpuLimit, inTurn, judgedOn, paceOf } from '../process/index.js'
import { newSeed } from '../shared/random.js'
import { watchChanges } from '../workspace/index.js'
import { errorMessage } from './jobs.js'

/**
 * One of a lesson's servers for use by hand, as `npm run serve` starts it: one at a time, until it's stopped or the
 * workshop closes.
 *
 * @import { Request } from 'express'
 * @import { Finding } from '../check/index.js'
 * @import { PartStream } from '../http/index.js'
 * @import { LessonEntry, LoadedLesson } from '../lesson/index.js'
 * @import { Server } from '../process/index.js'
 *
 * @typedef {object} Served
 * @property {string} lesson slug
 * @property {'slow' | 'mine'} server
 * @property {string} url
 * @property {string} output what it has written
 * @property {boolean} isOld started before the learner's last change
 * @property {string} [node] a flag that it was started with
 * @property {Map<string, string[]>} loads what each command that loaded it has shown, in turn
 *
 * @typedef {ReturnType<typeof createServing>} Serving
 *
 * @param {object} given
 * @param {(entry: LoadedLesson) => Promise<string>} given.openCopy the folder of the learner's copy
 * @param {() => void} given.onChange
 */
export function createServing ({ openCopy, onChange }) {
  let controller = new AbortController()
  let ended = Promise.resolve()
  /** @type {Served | null} */
  let served = null
  /** @type {Server | null} */
  let running = null
  // What it writes is no event.
  const look = () => {
    const output = running?.output() ?? ''
    if (served === null || served.output === output) return
    served.output = output
    onChange()
  }
  const stop = async () => {
    controller.abort()
    await ended
  }
  return {
    read: () => served,
    stop,
    /** @param {string} lesson slug */
    saved: (lesson) => { if (served?.server === 'mine' && served.lesson === lesson) served.isOld = true },
    /**
     * @param {LoadedLesson} entry
     * @param {{ server?: 'slow', port?: number, nodeArgs?: string[] }} asked
     * @returns {Promise<Served>}
     * @throws with a status: it didn't start
     */
    start: (entry, { server, ...start }) => {
      if (entry.lesson.check !== undefined) throw refuse(400, 'This lesson has no server to start.')
      const before = stop()
      const { signal } = controller = new AbortController()
      return new Promise((resolve, reject) => {
        const serve = async () => {
          await before
          const own = await openCopy(entry)
          const dir = server === 'slow' ? entry.slowDir : own
          const onSpawn = (/** @type {Server} */ one) => { running = one }
          const given = { entry, dir, seed: newSeed(), start: { ...start, onSpawn }, signal }
          const looking = setInterval(look, lookEveryMs)
          await serveOne(given, ({ origin: url }) => {
            const [node] = start.nodeArgs ?? []
            served = {
              lesson: entry.id, server: server ?? 'mine', url, node, output: '', isOld: false, loads: new Map()
            }
            resolve(served)
            onChange()
          }).finally(() => clearInterval(looking))
        }
        ended = serve().catch((error) => reject(refuse(409, errorMessage(error)))).then(() => {
          served = null
          reject(refuse(409, 'It was stopped before it listened.'))
          onChange()
        })
      })
    }
  }
}

const lookEveryMs = 1000

/** A learner may have a few lessons open at once; each costs a look at a handful of files. */
const mostLessons = 3

/**
 * Tells of saves in the learner's copies of the lessons that were shown last.
 *
 * @typedef {ReturnType<typeof createSaves>} Saves
 *
 * @param {object} given
 * @param {(entry: LessonEntry) => void} given.onSave
 * @param {(entry: LessonEntry) => boolean} given.isRunning is the server of that copy running?
 */
export function createSaves ({ onSave, isRunning }) {
  /** By id, the one shown last at the end. @type {Map<string, ReturnType<typeof watchChanges>>} */
  const watched = new Map()
  /** @type {Map<string, number>} */
  const counts = new Map()
  let isClosed = false
  const end = async (/** @type {string | undefined} */ id) => {
    if (id === undefined) return
    const watch = watched.get(id)
    watched.delete(id)
    const changes = await watch
    changes?.close()
  }
  const begin = (/** @type {LessonEntry} */ entry) => watchChanges({
    dir: entry.workspaceDir,
    onChange: () => {
      counts.set(entry.id, (counts.get(entry.id) ?? 0) + 1)
      onSave(entry)
    },
    isRunning: () => isRunning(entry)
  })
  return {
    /** How often it was saved since the workshop was opened. @param {LessonEntry} entry */
    countOf: ({ id }) => counts.get(id) ?? 0,
    watch: (/** @type {LessonEntry} */ entry) => {
      // A page may be read once more while the workshop closes.
      if (isClosed) return
      const watch = watched.get(entry.id) ?? begin(entry)
      watched.delete(entry.id)
      watched.set(entry.id, watch)
      if (watched.size > mostLessons) end([...watched.keys()][0])
    },
    /** We made its copy: that isn't a save. @param {LessonEntry} entry */
    restart: (entry) => {
      if (!watched.has(entry.id)) return
      end(entry.id)
      watched.set(entry.id, begin(entry))
    },
    close: async () => {
      isClosed = true
      await Promise.all([...watched.keys()].map(end))
    }
  }
}

/**
 * Is this machine fit to measure? A button starts the test; its result is kept until the workshop stops.
 *
 * @typedef {object} Fitness
 * @property {boolean} isBusy it is being measured
 * @property {Finding[]} findings
 * @property {number} cores that may be used
 * @property {number} pace how many times as long it takes as the machines on which targets were set
 * @property {string} message the result, or what is running now; empty before the first test
 *
 * @typedef {ReturnType<typeof createDoctor>} Doctor
 *
 * What examines.
 * @typedef {{ atRest: typeof examineAtRest, underLoad: typeof examineUnderLoad }} Examiner
 */

/** @type {Examiner} */
export const measuringExaminer = { atRest: examineAtRest, underLoad: examineUnderLoad }

/**
 * @param {object} given
 * @param {Examiner} given.examiner
 * @param {string} given.workspace the folder
 * @param {() => void} given.onChange
 */
export function createDoctor ({ examiner, workspace, onChange }) {
  const controller = new AbortController()
  const { signal } = controller
  /** @type {Fitness} */
  let fitness = {
    isBusy: false, findings: [], message: '', cores: judgedOn().cores, pace: paceOf(coreSpeed(), cpuLimit())
  }
  let ended = Promise.resolve()
  const show = (/** @type {Partial<Fitness>} */ now) => {
    fitness = { ...fitness, ...now }
    onChange()
  }
  const tell = (/** @type {string} */ message) => show({ message })

  const examine = async () => {
    show({ isBusy: true, findings: [], message: 'Watching what other programs do for a second …' })
    const first = await examiner.atRest({ folders: [os.tmpdir(), workspace], signal })
    show({ findings: first })
    const second = first.some(({ state }) => state === 'bad')
      ? []
      : await inTurn({ about: 'the doctor', where: 'in the browser', tell, signal }, () =>
        examiner.underLoad({ tell, signal }))
    const findings = [...first, ...second]
    show({ isBusy: false, findings, message: concludeFitness(findings) })
  }

  return {
    read: () => fitness,
    ask: () => {
      if (fitness.isBusy) return
      ended = examine().catch((error) => {
        if (!signal.aborted) show({ isBusy: false, message: errorMessage(error) })
      })
    },
    close: () => {
      controller.abort()
      return ended
    }
  }
}

const mostStreams = 100
/** Progress comes faster than anyone reads, and drawing takes time from what is measured. */
const pauseMs = 250

/**
 * What a page shows, read as data and rendered.
 *
 * @typedef {object} Page
 * @property {(req: Request<any>) => Promise<any>} read
 * @property {(data: any) => string} show the whole of it
 * @property {(data: any) => PageParts} [parts] that its stream sends when they have changed
 * @property {(data: any) => PageParts} [progress] parts that come often, and without reading again
 *
 * @typedef {Record<string, unknown>} PageParts HTML by the name of the part
 *
 * The pages that are open, each with its stream of parts.
 * @typedef {ReturnType<typeof createPageStreams>} PageStreams
 */
export function createPageStreams () {
  const share = createShare({ most: mostStreams, perAddress: mostStreams })
  /** @typedef {{ known: Promise<{ data: any, parts: PageParts }> | null, stream: PartStream }} OpenPage */
  /** @type {Set<OpenPage>} */
  const open = new Set()
  const tellProgress = () => { for (const { stream } of open) stream.invalidate() }
  return {
    /** @param {Request} req @param {import('express').Response} res @param {Page} page */
    follow: async (req, res, { read, parts = () => ({}), progress = () => ({}) }) => {
      const readAll = async () => {
        const data = await read(req)
        return { data, parts: parts(data) }
      }
      /** @type {OpenPage} */
      const one = {
        known: null,
        // If something can't be read, the page itself says so once it's loaded again.
        stream: createPartStream(async () => {
          const { data, parts } = await (one.known ??= readAll())
          return { ...parts, ...progress(data) }
        }, { share, pauseMs, onFault: () => { one.known = null } })
      }
      open.add(one)
      res.on('close', () => {
        open.delete(one)
        one.stream.close()
      })
      await one.stream.join(res)
    },
    tell: () => {
      for (const one of open) one.known = null
      tellProgress()
    },
    tellProgress,
    close: () => { for (const { stream } of open) stream.close() }
  }
}
