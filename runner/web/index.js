import { randomBytes } from 'node:crypto'
import http from 'node:http'
import path from 'node:path'
import { listen, namesOf } from '../http/index.js'
import { findLessons, lessonsRoot, workspaceRoot } from '../lesson/index.js'
import { followTurn, takeTurnAtOnce } from '../system/index.js'
import { openCopy } from '../workspace/index.js'
import { createApp } from './app.js'
import { createClassroom } from './seat-state.js'
import { createEvents } from './events.js'
import { createDoctor } from './doctor.js'
import { createJobs } from './jobs/jobs.js'
import { readState } from './lessons.js'
import { createSaves } from './saves.js'

/**
 * @import { WorkshopError } from '../errors.js'
 * @import { LessonEntry, LoadedLesson } from '../lesson/index.js'
 * @import { Turn } from '../system/index.js'
 *
 * @typedef {object} Web
 * @property {string} url
 * @property {boolean} isNew false: it ran already, and goes on when we close
 * @property {() => Promise<void>} close stops everything
 */

const host = '127.0.0.1'

/**
 * Opens the workshop for browsers of this machine, once for each workspace.
 *
 * @param {object} given
 * @param {NodeJS.ProcessEnv} given.env
 * @param {number} [given.port] default: the system's choice
 * @param {AbortSignal} given.signal ends the start; after that, `close` does
 * @returns {Promise<Web>}
 * @throws {WorkshopError} the port is taken, or there are no lessons
 */
export async function startWeb ({ env, port = 0, signal }) {
  await findLessons({ env })
  const name = `web\0${workspaceRoot(lessonsRoot(env), env)}`
  /** @type {Turn | null} */
  let turn = null
  while (turn === null) {
    const running = await findRunning(name, signal)
    if (running !== null) return { url: running, isNew: false, close: async () => {} }
    turn = await takeTurnAtOnce(name, signal)
  }
  const { publish, release } = turn
  try {
    const web = await open({ env, port })
    publish({ url: web.url })
    return { ...web, isNew: true, close: () => web.close().finally(release) }
  } catch (error) {
    await release()
    throw error
  }
}

/** @param {string} name @param {AbortSignal} signal @returns {Promise<string | null>} its address */
async function findRunning (name, signal) {
  const found = new AbortController()
  /** @type {string | null} */
  let url = null
  const onLine = (/** @type {any} */ line) => {
    url = line.url
    found.abort()
  }
  await followTurn(name, { onLine, signal: AbortSignal.any([signal, found.signal]) }).catch((error) => {
    if (url === null) throw error
  })
  return url
}

/** @param {{ env: NodeJS.ProcessEnv, port: number }} given */
async function open ({ env, port: wanted }) {
  const server = http.createServer()
  const port = await listen(server, wanted, host)
  const token = randomBytes(24).toString('base64url')
  const events = createEvents()
  const readNow = () => readState(env, { currentJob: jobs.current, fitness: doctor.read, classroom })
  const tellState = async () => events.publish('state', await readNow())
  const workspace = workspaceRoot(lessonsRoot(env), env)
  const classroom = createClassroom({ workspace, onChange: () => tellState() })
  const doctor = createDoctor({
    workspace,
    // That what is shown could not be read again is told by whoever reads it next.
    onChange: () => { tellState().catch(() => {}) }
  })
  const saves = createSaves({
    onSave: ({ id: lesson }, file) => {
      jobs.noteSave(lesson)
      events.publish('saved', { lesson, file })
    },
    isRunning: ({ id }) => jobs.isBusy(id)
  })
  const openOwn = async (/** @type {LoadedLesson} */ entry) => {
    const { dir, created } = await openCopy(entry)
    if (created) saves.restart(entry)
    return dir
  }
  const jobs = createJobs({
    openCopy: openOwn,
    slugOf: async (dir) => slugAmong(await findLessons({ env }), dir),
    publish: events.publish,
    onBegin: events.forget,
    onEnd: tellState
  })
  const names = namesOf(port, env)
  server.on('request', createApp({
    env, token, events, jobs, doctor, classroom, saves, openCopy: openOwn, readState: readNow, tellState
  }, { ...names, token }))
  return {
    url: `http://${host}:${port}/`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([jobs.close(), doctor.close(), saves.close()])
      events.close()
      server.closeAllConnections()
      await closed
    }
  }
}

/** @param {LessonEntry[]} entries @param {string} dir */
function slugAmong (entries, dir) {
  return entries.find(({ workspaceDir }) => path.resolve(workspaceDir) === dir)?.id ?? null
}
