import { once } from 'node:events'
import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { findLessons, workspaceRoot } from '../../lesson/index.js'
import { gradeHere, readRedisUrl } from '../../queue/index.js'
import { shownPath } from '../../shown-path.js'
import { readPublic, readTls } from '../class/public-address.js'
import { budgetOf, openLink, portOf, say, wholeNumber } from '../say.js'

/**
 * @import { OpenRoom, openRoom } from '../../room/index.js'
 * @import { prepareWorker } from '../class/grading.js'
 * @import { Flag, Given } from '../say.js'
 *
 * @typedef {object} Way in which a room is open
 * @property {Pick<Parameters<typeof openRoom>[0], 'dir' | 'now' | 'isSimulated' | 'hasNewSecret' | 'mostSeats' |
 *   'publicOrigin' | 'tls' | 'redisUrl'>} room
 * @property {string[]} before sentences that come before the addresses
 * @property {string[]} after sentences that come after them
 * @property {(room: OpenRoom) => unknown} [onOpen] what it returns is waited for before the room closes
 * @property {string} end said when it is closed
 */

/** @type {Flag} */
const text = { type: 'string' }
/** @type {Flag} */
const flag = { type: 'boolean' }

/** @type {Record<string, Flag>} */
export const options = {
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
  learners: text,
  rehearse: flag,
  seconds: text
}

export const leastPositionals = 0

export const stays = true

export const usage = 'npm run class [-- --host ADDRESS] [--port N] [--dir DIR] [--seats N] [--public URL] ' +
  '[--cert FILE --key FILE] [--no-open] [--new-secret] [--grade [--no-sandbox]], or -- --rehearse [lesson-N …], ' +
  'or -- --learners N'

export const help = `For instructors: open a room in which learners report their checks.
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
  --seconds N               how long the rounds of each of these checks may take
  --learners N              a room to try out, with N invented learners, whose day takes about a minute. It
                            has its own folder, and none of it is kept`

/**
 * What few rooms need, such as checks, is imported only by them: it takes 20 MB.
 *
 * @param {Given} given
 * @param {typeof prepareWorker} [prepare]
 */
export async function run (given, prepare) {
  const { values, positionals, env, stdout, signal } = given
  refuseMixed(given)
  if (values.rehearse) {
    const budgetMs = budgetOf(values.seconds)
    const { rehearse } = await import('../class/rehearse.js')
    return rehearse({ names: positionals, budgetMs, stdout, env, signal })
  }
  if (values.learners !== undefined) return simulated(given, wholeNumber('--learners', values.learners, 1, 500))
  const dir = values.dir ?? path.join(workspaceRoot(env), 'class')
  await keepOpen(given, {
    room: {
      dir,
      hasNewSecret: values['new-secret'],
      mostSeats: wholeNumber('--seats', values.seats ?? '100', 1, 1000),
      publicOrigin: readPublic(values.public),
      tls: await readTls(values.cert, values.key),
      redisUrl: env.REDIS_URL ? readRedisUrl(env.REDIS_URL) : undefined
    },
    before: [`The room is open, and kept in ${shownPath(path.resolve(dir))}.`],
    after: [
      ...reachOf(values),
      ...env.REDIS_URL ? ['Workers on other machines get submissions through Redis.'] : [],
      'Ctrl-C closes it. The same command opens it again, as it was.'
    ],
    onOpen: values.grade ? ({ work }) => gradeForRoom(given, work, prepare) : undefined,
    end: 'Closed. Everything is kept.'
  })
  return 0
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
    prepare ??= (await import('../class/grading.js')).prepareWorker
    const given = { name: 'this machine', isSandboxOptional: values['no-sandbox'], env, signal, tell }
    const worker = await prepare(given)
    tell('Submissions are graded on this machine.')
    await gradeHere({ work, worker, signal, tell })
  } catch (error) {
    if (!signal.aborted) tell(`Nothing is graded on this machine. ${error.message}`)
  }
}

/** Flags of a room that people join. */
const ofPeople = ['host', 'dir', 'seats', 'new-secret', 'public', 'cert', 'key', 'grade', 'no-sandbox']

/** Refuses flags of different modes. @param {Given} given */
function refuseMixed ({ values, positionals }) {
  const given = (/** @type {string[]} */ ...names) => names.filter((name) => values[name] !== undefined)
  const [room] = given('learners', 'port', ...ofPeople)
  if (values.rehearse && room !== undefined) {
    throw new WorkshopError(`--rehearse doesn’t open a room, so it doesn’t take --${room}.`)
  }
  const [own] = given(...ofPeople)
  if (values.learners !== undefined && own !== undefined) {
    throw new WorkshopError('A room of invented learners stays on this machine, in its own folder: ' +
      `--learners doesn’t take --${own}.`)
  }
  if (values['no-sandbox'] && !values.grade) throw new WorkshopError('--no-sandbox goes with --grade.')
  if (!values.rehearse && values.seconds !== undefined) throw new WorkshopError('--seconds goes with --rehearse.')
  if (!values.rehearse && positionals.length > 0) {
    throw new WorkshopError(`"${positionals[0]}" is one word too many: only --rehearse takes lessons.\n` +
      `Usage: ${usage}`)
  }
}

/** @param {Given} given @param {number} learners */
async function simulated (given, learners) {
  const { env, stdout, signal } = given
  const { simulateClass } = await import('../class/simulated/index.js')
  const lessons = (await findLessons({ env })).length
  const { room, seconds, play, end } = await simulateClass({ learners, lessons, env, signal })
  const they = learners === 1 ? 'One invented learner comes' : `${learners} invented learners come`
  try {
    await keepOpen(given, {
      room,
      before: [`A room to try out is open. ${they}; their day takes about ${seconds} s. None of them is real.`],
      after: ['Ctrl-C closes it and removes all of it.'],
      onOpen: ({ code, learners: [address] }) => {
        play({ url: new URL('/', address).href, code }).then(
          () => say(stdout, 'Their day is over. The room stays open for you to look around.'),
          (error) => { if (!signal.aborted) say(stdout, `The invented learners have stopped. ${error.message}`) })
      },
      end: 'Closed. None of it is kept.'
    })
  } finally {
    await end()
  }
  return 0
}

/**
 * Opens a room, prints its addresses, and closes it on the signal.
 *
 * @param {Given} given
 * @param {Way} way
 */
async function keepOpen ({ values, stdout, env, signal }, { room, before, after, onOpen = () => {}, end }) {
  const { openRoom, qrText } = await import('../../room/index.js')
  const open = await openRoom({
    ...room, env, host: values.host, port: portOf(values.port), signal, say: (sentence) => say(stdout, sentence)
  })
  const { code, learners, instructor, close } = open
  /** @type {unknown} */
  let working
  try {
    say(stdout, ...before)
    const qr = await qrText(learners[0], stdout)
    stdout.write(`\nLearners:\n${lines(learners)}\n`)
    stdout.write(`Join code:\n${lines([code])}\n`)
    if (qr !== null) stdout.write(`${qr}\n\n`)
    say(stdout, 'They join with:')
    stdout.write(`${lines([`npm run join ${learners[0]} -- --name "Ada"`])}\n`)
    const isOpened = !values['no-open'] && await openLink(instructor, room.dir)
    if (isOpened) say(stdout, 'Your own page is open in the browser: --no-open prints its link instead.')
    else {
      say(stdout, 'For you alone, not for the projector:')
      stdout.write(`${lines([instructor])}\n`)
    }
    working = onOpen(open)
    say(stdout, ...after)
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await working
    await close()
  }
  say(stdout, end)
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
