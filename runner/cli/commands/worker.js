import fs from 'node:fs/promises'
import { WorkshopError } from '../../errors.js'
import { deskAt, followRedis } from '../../queue/index.js'
import { say } from '../say.js'

/**
 * @import { prepareWorker } from '../class/grading.js'
 * @import { Flag, Given } from '../types.js'
 */

/** @type {Flag} */
const text = { type: 'string' }
/** @type {Flag} */
const flag = { type: 'boolean' }

/** @type {Record<string, Flag>} */
export const options = { room: text, 'secret-file': text, name: text, 'no-sandbox': flag }

const showEveryMs = 15_000

export const maxPositionals = 0

export const stays = true

export const usage = 'npm run worker -- --room URL [--secret-file FILE] [--name NAME] [--no-sandbox]'

export const help = `For instructors: grade what learners submit to a room, one submission after the other.
Measures this machine first. Ctrl-C ends it; an unfinished submission goes back into the queue.

  --room URL           the room's address
  --secret-file FILE   the room's file worker-secret, or a copy; without it the variable
                       MAKE_IT_FAST_WORKER_SECRET has what is in that file
  --name NAME          what the instructor's page calls this machine
  --no-sandbox         where there is no sandbox, submissions run with your rights, and results aren't verified

With the variable REDIS_URL, which the room needs, too, jobs come through Redis; otherwise from the room itself.`

/** @param {Given} given @param {typeof prepareWorker} [prepare] */
export async function run ({ values, stdout, env, signal }, prepare) {
  const { room, name, 'no-sandbox': isSandboxOptional } = values
  if (!room || !URL.canParse(room)) {
    throw new WorkshopError('Say which room, as in `npm run worker -- --room http://192.168.1.5:4000`.')
  }
  const url = new URL('/', room).href
  const secret = await secretFrom(values['secret-file'], env)
  const desk = deskAt({ url, secret })
  const tell = createTeller(stdout)
  prepare ??= (await import('../class/grading.js')).prepareWorker
  const worker = await prepare({ desk, name, isSandboxOptional, env, signal, tell })
  await worker.show()
  say(stdout, `Ready for submissions to ${url}. Ctrl-C ends it.`)
  const { REDIS_URL: redis } = env
  if (!redis) {
    await worker.run()
    return 0
  }
  const showing = setInterval(() => { worker.show().catch(() => {}) }, showEveryMs)
  try {
    await followRedis({
      url: redis,
      secret,
      take: worker.takeOne,
      signal,
      onFault: ({ message }) => tell(`Redis: ${message}`)
    })
  } finally {
    clearInterval(showing)
  }
  return 0
}

/** The same sentence once in a row. @param {Given['stdout']} stdout */
function createTeller (stdout) {
  let last = ''
  return (/** @type {string} */ sentence) => {
    if (sentence !== last) say(stdout, sentence)
    last = sentence
  }
}

/**
 * Never an argument: all users of a machine may read those.
 *
 * @param {string | undefined} file
 * @param {NodeJS.ProcessEnv} env
 */
async function secretFrom (file, env) {
  if (file === undefined) {
    const secret = env.MAKE_IT_FAST_WORKER_SECRET?.trim()
    if (secret) return secret
    throw new WorkshopError('A worker needs the room’s secret: --secret-file names the file worker-secret of the ' +
      'room’s folder, or a copy of it.')
  }
  const stats = await fs.stat(file).catch((error) => {
    throw new WorkshopError(`${file} can’t be read (${error.code}): name the room’s file worker-secret.`)
  })
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new WorkshopError(`Other users of this machine can read ${file}: run \`chmod 600\` on it first.`)
  }
  return (await fs.readFile(file, 'utf8')).trim()
}
