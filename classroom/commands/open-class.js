import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import { createSecureContext } from 'node:tls'
import { WorkshopError } from '../../runner/shared/errors.js'
import { workspaceRoot } from '../../runner/lesson/index.js'
import { gradeHere, readRedisUrl } from '../queue/index.js'
import { shownPath } from '../../runner/shared/text.js'
import { budgetOf, flag, openLink, portOf, say, text, wholeNumber } from '../../runner/cli/index.js'

/**
 * @import { OpenRoom } from '../room/index.js'
 * @import { prepareWorker } from './grading.js'
 * @import { Command, Given } from '../../runner/cli/index.js'
 */

/** @satisfies {Command} */
export const openClass = {
  options: {
    port: text,
    host: text,
    dir: text,
    seats: text,
    public: text,
    cert: text,
    key: text,
    'no-open': flag,
    'new-secret': flag,
    grade: flag,
    'no-sandbox': flag,
    rehearse: flag,
    seconds: text
  },
  leastPositionals: 0,
  stays: true,
  usage: 'npm run class [-- --host ADDRESS] [--port N] [--dir DIR] [--seats N] [--public URL] ' +
    '[--cert FILE --key FILE] [--no-open] [--new-secret] [--grade [--no-sandbox]], or -- --rehearse [lesson-N …]',
  help: `For instructors: open a room in which learners report their checks.
It shows, live, how far everyone is and who is stuck. Ctrl-C closes it; the next start opens it as it was.

  --host ADDRESS   on which network: an address of this machine, or 0.0.0.0 for all of them.
                   Without it only this machine can reach the room.
  --port N         default: the one it had before, otherwise a free one
  --dir DIR        where the room is kept; default workspace/class
  --seats N        how many learners it takes; default 100
  --public URL     at which others reach it: https://room.example, if it’s behind a proxy
  --cert FILE --key FILE   a certificate and its private key (PEM): the room speaks HTTPS itself
  --no-open        open nothing, and print your own link as well
  --new-secret     give you a new link: the old one stops working
  --grade          grade what learners submit on this machine, in a sandbox
  --no-sandbox     where there is no sandbox, grade with your rights; results aren't verified

With the variable REDIS_URL, workers on other machines grade, too (npm run worker).

Before the day (docs/instructors.md):
  --rehearse [lesson-N …]   is this machine fit, and is there enough margin in each lesson? Checks every reference
                            solution, or those of the lessons that you name. Exit code: 0 fit, 2 doubts, 3 not fit,
                            or a lesson couldn't be checked
  --seconds N               how long the rounds of each of these checks may take`,

  /**
   * What few rooms need, such as checks, is imported only by them: it takes 20 MB.
   *
   * @param {Given} given
   * @param {typeof prepareWorker} [prepare]
   */
  async run (given, prepare) {
    const { values, positionals, env, stdout, signal } = given
    refuseMixed(given)
    if (values.rehearse) {
      const budgetMs = budgetOf(values.seconds)
      const { rehearse } = await import('./rehearse.js')
      return rehearse({ names: positionals, budgetMs, stdout, env, signal })
    }
    const dir = values.dir ?? path.join(workspaceRoot(env), 'class')
    const { openRoom } = await import('../room/index.js')
    const room = await openRoom({
      dir,
      env,
      host: values.host,
      port: portOf(values.port),
      hasNewSecret: values['new-secret'],
      mostSeats: wholeNumber('--seats', values.seats ?? '100', 1, 1000),
      publicOrigin: readPublic(values.public),
      tls: await readTls(values.cert, values.key),
      redisUrl: env.REDIS_URL ? readRedisUrl(env.REDIS_URL) : undefined,
      say: (sentence) => say(stdout, sentence)
    })
    /** @type {Promise<void> | undefined} */
    let grading
    try {
      say(stdout, `The room is open, and kept in ${shownPath(path.resolve(dir))}.`)
      await showAddresses(room, dir, given)
      if (values.grade) grading = gradeForRoom(given, room.work, prepare)
      say(stdout, ...reachOf(values))
      if (env.REDIS_URL) say(stdout, 'Workers on other machines get submissions through Redis.')
      say(stdout, 'Ctrl-C closes it. The same command opens it again, as it was.')
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await grading
      await room.close()
    }
    say(stdout, 'Closed. Everything is kept.')
    return 0
  }
}

/** @param {string | undefined} given of --public @returns {string | undefined} its origin @throws {WorkshopError} */
export function readPublic (given) {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new WorkshopError('--public takes the address under which others reach the room, ' +
      `such as https://room.example, got ${given}.`)
  }
  return url.origin
}

/**
 * @param {string | undefined} cert of --cert: a file
 * @param {string | undefined} key of --key: a file
 * @returns {Promise<{ cert: Buffer, key: Buffer } | undefined>}
 * @throws {WorkshopError} one is missing, cannot be read, or they do not belong together
 */
export async function readTls (cert, key) {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw new WorkshopError('--cert and --key go together: name the files of the certificate and of its private key.')
  }
  const tls = { cert: await readPem('--cert', cert), key: await readPem('--key', key) }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw new WorkshopError(`${cert} and ${key} are no certificate and its private key, both as PEM (${error.code}): ` +
      'name files that belong together.', { cause: error })
  }
  return tls
}

/** @param {string} flag @param {string} file */
async function readPem (flag, file) {
  return fs.readFile(file).catch((error) => {
    throw new WorkshopError(`The file ${file} cannot be read (${error.code}): name another one with ${flag}.`,
      { cause: error })
  })
}

/** @param {OpenRoom} room @param {string} dir @param {Given} given */
async function showAddresses ({ code, learners, instructor }, dir, { values, stdout }) {
  const { qrText } = await import('../room/index.js')
  const qr = await qrText(learners[0], stdout)
  stdout.write(`\nLearners:\n${lines(learners)}\n`)
  stdout.write(`Join code:\n${lines([code])}\n`)
  if (qr !== null) stdout.write(`${qr}\n\n`)
  say(stdout, 'They join with:')
  stdout.write(`${lines([`npm run join ${learners[0]} -- --name "Ada"`])}\n`)
  const isOpened = !values['no-open'] && await openLink(instructor, dir)
  if (isOpened) return say(stdout, 'Your own page is open in the browser: --no-open prints its link instead.')
  say(stdout, 'For you alone, not for the projector:')
  stdout.write(`${lines([instructor])}\n`)
}

/**
 * The room stays open, even when this machine can't grade.
 *
 * @param {Given} given
 * @param {OpenRoom['work']} work
 * @param {typeof prepareWorker} [prepare]
 */
async function gradeForRoom ({ values, stdout, env, signal }, work, prepare) {
  const tell = (/** @type {string} */ sentence) => say(stdout, sentence)
  try {
    prepare ??= (await import('./grading.js')).prepareWorker
    const given = { name: 'this machine', isSandboxOptional: values['no-sandbox'], env, signal, tell }
    const worker = await prepare(given)
    tell('Submissions are graded on this machine.')
    await gradeHere({ work, worker, signal, tell })
  } catch (error) {
    if (!signal.aborted) tell(`Nothing is graded on this machine. ${error.message}`)
  }
}

/** Refuses flags of different modes. @param {Given} given */
function refuseMixed ({ values, positionals }) {
  const given = (/** @type {string[]} */ ...names) => names.filter((name) => values[name] !== undefined)
  const [room] = given('port', 'host', 'dir', 'seats', 'new-secret', 'public', 'cert', 'key', 'grade', 'no-sandbox')
  if (values.rehearse && room !== undefined) {
    throw new WorkshopError(`--rehearse doesn’t open a room, so it doesn’t take --${room}.`)
  }
  if (values['no-sandbox'] && !values.grade) throw new WorkshopError('--no-sandbox goes with --grade.')
  if (!values.rehearse && values.seconds !== undefined) throw new WorkshopError('--seconds goes with --rehearse.')
  if (!values.rehearse && positionals.length > 0) {
    throw new WorkshopError(`"${positionals[0]}" is one word too many: only --rehearse takes lessons.\n` +
      `Usage: ${openClass.usage}`)
  }
}

/** Never wrapped: people copy them. @param {string[]} texts */
function lines (texts) {
  return texts.map((line) => `  ${line}\n`).join('')
}

/** What has to be said about who reaches it. @param {Given['values']} values @returns {string[]} */
function reachOf ({ host = '127.0.0.1', public: origin, cert }) {
  const isOnlyHere = origin === undefined && /^(127\.|localhost$|::1$)/.test(host)
  if (isOnlyHere) return ['Only this machine can reach it: --host 0.0.0.0 opens it to the network.']
  if (cert !== undefined || origin?.startsWith('https:')) return []
  return ['It’s plain HTTP: anyone listening on that network can read, change and delete results.']
}
