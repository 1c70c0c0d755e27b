import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { boundedServer, listen, namesOf } from '../http/index.js'
import { findLessons, workspaceRoot } from '../lesson/index.js'
import { followTurn, takeTurnAtOnce } from '../process/index.js'
import { openCopy } from '../workspace/index.js'
import { createApp, isProven, madeSecret, newToken, readSecret, withProof } from './app.js'
import { handlers as measuringHandlers } from './job-handlers.js'
import { createJobs, openKeptJobs } from './jobs.js'
import { createClassroom } from './seat-state.js'
import { createDoctor, createPageStreams, createSaves, createServing, measuringExaminer } from './serving.js'

/**
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Turn } from '../process/index.js'
 * @import { Published, Running } from './app.js'
 * @import { Handlers } from './job-handlers.js'
 * @import { Examiner } from './serving.js'
 *
 * @typedef {object} Web
 * @property {string} url
 * @property {() => string} newLink that signs in one browser, once
 * @property {boolean} isNew false: it was running already, and still will be when we close
 * @property {() => Promise<void>} close stops everything
 */

const host = '127.0.0.1'
const mostConnections = 300

/**
 * Opens the workshop for browsers on this machine, once per workspace.
 *
 * @param {object} given
 * @param {NodeJS.ProcessEnv} given.env
 * @param {number} [given.port] default: the system's choice
 * @param {AbortSignal} given.signal ends the start; after that, `close` does
 * @param {Handlers} [given.handlers] of jobs
 * @param {Examiner} [given.examiner] of the machine
 * @returns {Promise<Web>}
 * @throws {WorkshopError} the port is taken, there are no lessons, the workspace can't be written, or what answers as
 *   this workshop can't prove that it is
 */
export async function startWeb ({ env, port = 0, signal, ...doing }) {
  await findLessons({ env })
  const workspace = workspaceRoot(env)
  const name = `web\0${workspace}`
  /** @type {Turn | null} */
  let turn = null
  while (turn === null) {
    const running = await findRunning(name, signal)
    if (running !== null) {
      const secret = await proven(running, workspace)
      return { ...waysIn(running, secret, env), isNew: false, close: async () => {} }
    }
    turn = await takeTurnAtOnce(name, signal)
  }
  const { publish, release } = turn
  try {
    const secret = await madeSecret(workspace)
    const start = randomBytes(12).toString('base64url')
    const { url, close } = await open({ env, workspace, port, secret, start, ...doing })
    publish(withProof({ url, start }, secret))
    return { ...waysIn({ url, start }, secret, env), isNew: true, close: () => close().finally(release) }
  } catch (error) {
    await release()
    throw error
  }
}

/** @param {string} name @param {AbortSignal} signal @returns {Promise<Published | null>} as another process says */
async function findRunning (name, signal) {
  const found = new AbortController()
  /** @type {Published | null} */
  let published = null
  const onLine = (/** @type {any} */ line) => {
    published = Object(line)
    found.abort()
  }
  await followTurn(name, { onLine, signal: AbortSignal.any([signal, found.signal]) }).catch((error) => {
    if (published === null) throw error
  })
  return published
}

/** @param {Published} published @param {string} workspace @returns {Promise<string>} the secret that both know */
async function proven (published, workspace) {
  const secret = await readSecret(workspace)
  if (secret !== null && isProven(published, secret)) return secret
  throw new WorkshopError('The workshop seems to be open already, but what answers doesn’t know the secret in ' +
    `${path.join(workspace, 'browser.json')}: stop it with Ctrl-C in its terminal, then start again.`)
}

/** @param {Running} running @param {string} secret @param {NodeJS.ProcessEnv} env */
function waysIn ({ url, start }, secret, env) {
  const { origins } = namesOf(Number(new URL(url).port), env)
  const origin = origins.find((one) => one.startsWith('https:')) ?? origins[0]
  return { url, newLink: () => `${origin}/?token=${newToken(secret, start)}` }
}

/**
 * @param {{ env: NodeJS.ProcessEnv, workspace: string, port: number, secret: string, start: string,
 *   handlers?: Handlers, examiner?: Examiner }} given
 */
async function open (given) {
  const { env, workspace, secret, start, handlers = measuringHandlers, examiner = measuringExaminer } = given
  const kept = await openKeptJobs(workspace)
  const server = boundedServer({ most: mostConnections, perAddress: mostConnections })
  const port = await listen(server, given.port, host)
  const token = randomBytes(24).toString('base64url')
  const streams = createPageStreams()
  const onChange = streams.tell
  const classroom = createClassroom({ workspace, onChange, currentJob: () => jobs.current() })
  const doctor = createDoctor({ examiner, workspace, onChange })
  const saves = createSaves({
    onSave: ({ id: lesson }) => {
      jobs.noteSave(lesson)
      serving.saved(lesson)
      onChange()
    },
    isRunning: ({ id }) => jobs.isBusy(id)
  })
  const openOwn = async (/** @type {LoadedLesson} */ entry) => {
    const { dir, created } = await openCopy(entry)
    if (created) saves.restart(entry)
    return dir
  }
  const jobs = createJobs({
    handlers,
    openCopy: openOwn,
    slugOf: async (dir) => {
      const entries = await findLessons({ env })
      return entries.find(({ workspaceDir }) => path.resolve(workspaceDir) === dir)?.id ?? null
    },
    onChange,
    onProgress: streams.tellProgress,
    kept
  })
  const serving = createServing({ openCopy: openOwn, onChange })
  const names = namesOf(port, env)
  server.on('request', createApp({
    env, token, streams, jobs, doctor, classroom, saves, serving, openCopy: openOwn, onChange
  }, { ...names, token }, { secret, start, port }))
  return {
    url: `http://${host}:${port}/`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([jobs.close(), doctor.close(), saves.close(), serving.stop()])
      streams.close()
      server.closeAllConnections()
      await closed
    }
  }
}
