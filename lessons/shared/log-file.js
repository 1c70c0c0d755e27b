import { constants } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { LateError, sendInOneGo } from '../../runner/contract/index.js'
import { answersOf } from './answers.js'
import { onKeptConnections } from './batches.js'

// The text says one second; a busy machine may need a little longer.
const soonMs = 2500
/** The same second, not counting pauses of the machine. */
const steadyMs = 1400
const mostPauseMs = 20
const lateMs = 400
/** Between two requests of a client that never rests, in ms. */
const paces = [8, 20, 45]
/** A server could put a link to any file in its log's place, a pipe that never ends, or a file as large as the disk. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
const plainFile = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
const mostBytes = 64 * 1024 ** 2
// Between a server's clock and ours: only wrong units and made-up figures are further apart.
const slackMs = 1000
/** Half a request keeps its connection busy for as long as its client likes. */
const halfBody = { 'content-type': 'application/json', 'content-length': '50' }

/**
 * @import { Another, Answer, Given, Request, Step } from '../../runner/contract/index.js'
 * @import { Item, LoadAnswer, Operation } from '../../runner/lesson/index.js'
 *
 * @typedef {Record<string, any>} Line
 *
 * A request of a sequence that was answered.
 * @typedef {{ step: Step, request: any, answer: any }} Sent
 */

/**
 * The access log of one server, from now on.
 *
 * @param {Pick<Given, 'dataDir' | 'within' | 'fail' | 'late'>} given
 * @param {number} [length] of the file, where it's known
 */
export async function watchLog ({ dataDir, within, fail, late }, length) {
  const from = length ?? (await fs.stat(fileIn(dataDir)).catch(() => ({ size: 0 }))).size
  const rest = reader(dataDir, from)
  return {
    rest,
    /**
     * Waits for the lines of these requests.
     *
     * @param {string[]} ids
     * @param {{ patient?: boolean, forced?: boolean }} [options] patient: false where the server was stopped, and
     *   nothing more can come; forced: it had to be killed, and may have needed more time
     * @returns {Promise<Line[]>} one for each id, in the order of the file
     */
    async linesOf (ids, { patient = true, forced = false } = {}) {
      const wanted = new Set(ids)
      // Ids that need escaping look different in the file: their first letters do not.
      const start = ids[0].slice(0, 8)
      const deadline = performance.now() + (patient ? await within(soonMs) : 0)
      for (;;) {
        const byId = linesById(await rest(), start, (id) => wanted.has(id), fail)
        const missing = ids.filter((id) => !byId.has(id))
        if (missing.length === 0) return [...byId.values()]
        if (performance.now() > deadline) {
          const miss = patient || forced ? late : fail
          const when = patient ? 'soon after their answer' : 'though they were answered before the server was stopped'
          miss(`access.log: ${missing.length} of ${ids.length} requests have no line ${when}, such as the one with ` +
            `the id ${JSON.stringify(missing[0])}`)
        }
        await sleep(30)
      }
    }
  }
}

/** One request, and its line. @param {Given} given @param {Request} request */
export async function lineOf (given, request) {
  const log = await watchLog(given)
  const id = given.random.word(14)
  const answer = await given.send({ ...request, headers: { ...request.headers, 'x-request-id': id } })
  const [line] = await log.linesOf([id])
  return { answer, line }
}

/**
 * @param {string} text of the log @param {string} word in the lines to look at @param {(id: any) => boolean} isWanted
 * @param {(message: string) => never} fail a line isn't JSON, or a request has two
 * @returns {Map<string, Line>} in the order of the file, by the id of their request, or that in its URL
 */
function linesById (text, word, isWanted, fail) {
  const { lines, broken: [broken] } = linesIn(text, word)
  if (broken) fail(`access.log: a line isn’t a JSON object: ${broken.slice(0, 160)}${broken.length > 160 ? '…' : ''}`)
  const byId = new Map()
  for (const line of lines) {
    const id = /[?&]id=(.*)/.exec(line.url)?.[1] ?? line.id
    if (byId.has(id)) fail(`access.log: the request with the id ${JSON.stringify(id)} has two lines`)
    if (isWanted(id)) byId.set(id, { ...line, id })
  }
  return byId
}

/**
 * @param {string} text of the log @param {string} [word] in the lines to look at
 * @returns {{ lines: Line[], broken: string[] }} broken: those that aren't JSON objects
 */
function linesIn (text, word = '') {
  /** @type {ReturnType<typeof linesIn>} */
  const { lines, broken } = { lines: [], broken: [] }
  // What comes after the last line break is still being written.
  for (const line of text.split('\n').slice(0, -1).filter((line) => line.includes(word))) {
    try {
      const parsed = JSON.parse(line)
      if (typeof parsed === 'object' && parsed !== null) lines.push(parsed)
      else broken.push(line)
    } catch {
      broken.push(line)
    }
  }
  return { lines, broken }
}

/** A path that identifies the line of a request without an id. @param {string} path @param {string} id */
export function marked (path, id) {
  return `${path}${path.includes('?') ? '&' : '?'}id=${id}`
}

/**
 * What a server has answered last is in its log, after the lines of earlier runs, when it has been asked to stop. With
 * half a request still open it has some time for that, without one none at all.
 *
 * @param {Given} given
 * @param {{ path: string, half: { method: string, path: string } | null }} asked half: whose body is never sent
 */
export async function expectLinesAtTheEnd (given, { path, half }) {
  const { another, random } = given
  // Larger than most servers let a file become that begin new ones: 40 MiB.
  const line = `{"id":"${'earlier '.repeat(127)}"}\n`
  const earlier = Buffer.alloc(40 * 1024 * line.length, line)
  const server = await another({ files: { 'access.log': earlier } })
  const log = await watchLog({ ...given, dataDir: server.dataDir }, earlier.length)
  const tag = random.word(14)
  // A letter that takes one byte in a request takes two in the file.
  const ids = Array.from({ length: 40 }, (_, index) => `${tag}-${index}-${'\xe9'.repeat(index % 3)}`)
  if (server.canAsk && half) server.send({ ...half, headers: halfBody }).catch(() => {})
  const many = half ? [] : await askManyAtOnce(server, tag)
  for (const id of ids) await server.get(path, { headers: { 'x-request-id': id } })
  const { forced } = server.canAsk ? await server.stop() : { forced: false }
  await log.linesOf([...ids, ...many], { patient: !server.canAsk, forced })
}

/**
 * So many that a buffer with a bound has no time to be written meanwhile.
 *
 * @param {Another} server @param {string} tag @returns {Promise<string[]>} ids of those that were answered
 */
async function askManyAtOnce ({ origin, within }, tag) {
  const asked = await Promise.all(Array.from({ length: 4 }, async (_, connection) => {
    const ids = Array.from({ length: 750 }, (_, index) => `${tag}-at-once-${connection}-${index}`)
    const requests = ids.map((id) => ({ path: `/${tag}`, headers: { 'x-request-id': id } }))
    return ids.slice(0, (await sendInOneGo(origin, requests, await within(10_000))).length)
  }))
  return asked.flat()
}

/** @param {string} dataDir */
function fileIn (dataDir) {
  return path.join(dataDir, 'access.log')
}

/**
 * @param {string} dataDir
 * @param {number} [from] bytes
 * @returns {() => Promise<string>} all that is there now, of which only what is new is read
 */
function reader (dataDir, from = 0) {
  const decoder = new StringDecoder()
  let known = ''
  let read = from
  return async () => {
    if (read >= from + mostBytes) return known
    try {
      const handle = await fs.open(fileIn(dataDir), plainFile)
      for await (const chunk of handle.createReadStream({ start: read, end: from + mostBytes - 1 })) {
        read += chunk.length
        known += decoder.write(chunk)
      }
    } catch {}
    return known
  }
}

/**
 * The operation that looks whether the log has the line of every request so far, and whether it says what it has to.
 *
 * @param {object} options
 * @param {string} options.rule
 * @param {number} [options.weight]
 * @param {() => string[]} options.names of the operations that leave lines
 * @param {(sent: Sent) => string} options.keyOf what tells the lines of a request from all others
 * @param {(line: Line, key: string) => boolean} options.isOf
 * @param {(line: Line, sent: Sent) => Record<string, unknown>} [options.read] what a line has to say in addition to
 *   the fields that all logs have
 * @param {(sent: Sent) => number} [options.leastMs] so long a request takes at least
 * @param {boolean} [options.isOrdered] a client that waits for its answers finds its lines in their order
 * @returns {Operation}
 */
export function lookAtLog ({ names, keyOf, isOf, read = () => ({}), leastMs = () => 0, isOrdered = false, ...more }) {
  return {
    ...more,
    draw: ({ past, sent: everSent = past }) => {
      const since = Date.now()
      return (answerOf) => {
        const sent = answered(names().flatMap((name) => everSent(name)), answerOf)
        const look = async (/** @type {{ dataDir: string, patience?: number }} */ { dataDir, patience = 1 }) => {
          const readLog = reader(dataDir)
          for (const until = performance.now() + patience * soonMs; ; await sleep(30)) {
            const { lines, broken } = linesIn(await readLog())
            const groups = groupsOf(sent, keyOf).map((group) => ({
              ...group,
              lines: lines.filter((line) => isOf(line, group.key)),
              broken: broken.find((line) => line.includes(group.key.slice(0, 8)))
            }))
            const missing = groups.find(({ lines, of, broken }) => broken === undefined && lines.length < of.length)
            if (missing && performance.now() < until) continue
            if (missing) throw new LateError(`no line in access.log for ${missing.name} soon after its answer`)
            const seen = groups.map(({ name, of, lines: own, broken }) => {
              if (own.length === 0) return [name, `a line that isn’t JSON: ${broken}`]
              const told = own.map((line, at) => {
                const one = of[at] ?? of[of.length - 1]
                return { ...readLine(line, one, { since, least: leastMs(one), patience }), ...read(line, one) }
              })
              return [name, own.length === 1 ? told[0] : told]
            })
            const order = isOrdered ? { 'the order of the lines': orderOf(lines, groups) } : {}
            return { ...Object.fromEntries(seen), ...order }
          }
        }
        return sent.length === 0 ? null : { look, says: 'the lines in access.log' }
      }
    }
  }
}

/**
 * What all right logs say.
 *
 * @param {Line} line @param {Sent} sent @param {{ since: number, least: number, patience: number }} times in ms
 */
function readLine ({ time, method, url, status, durationMs }, { step, answer }, { since, least, patience }) {
  const at = typeof time === 'string' ? Date.parse(time) : NaN
  const mostMs = answer.elapsedMs + patience * slackMs
  const isLong = typeof durationMs === 'number' && durationMs >= least && durationMs <= mostMs
  return {
    time: at > since - slackMs && at < Date.now() + slackMs ? 'a time' : time,
    method,
    url,
    // Which refusal it is may be the framework's affair.
    status: step.operation.loose && status === answer.status ? 'as answered' : status,
    durationMs: isLong ? 'a duration' : `${durationMs} where the client saw ${answer.elapsedMs.toFixed(1)}`
  }
}

/** Those that have an answer. @param {Step[]} steps @param {(step: Step) => any} answerOf @returns {Sent[]} */
export function answered (steps, answerOf) {
  return answersOf(steps, answerOf).map(({ step, answer }) =>
    ({ step, answer, request: typeof step.asked === 'function' ? step.asked(answerOf) : step.asked }))
}

/** What nothing tells apart has its lines together. @param {Sent[]} sent @param {(sent: Sent) => string} keyOf */
function groupsOf (sent, keyOf) {
  /** @type {Map<string, { name: string, key: string, of: Sent[] }>} */
  const groups = new Map()
  for (const one of sent) {
    const { step, request } = one
    const key = keyOf(one)
    const id = idOf(request) ?? `none, request ${step.id}`
    const group = groups.get(key) ?? { key, name: `${request.method ?? 'GET'} ${request.path} (id: ${id})`, of: [] }
    group.of.push(one)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Its X-Request-Id. @param {{ headers?: Record<string, string> }} request @returns {string | undefined} */
export function idOf ({ headers = {} }) {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-request-id')?.[1]
}

/** @param {Line[]} lines @param {{ of: Sent[], lines: Line[] }[]} groups */
function orderOf (lines, groups) {
  const steps = new Map(groups.flatMap((group) => group.lines.map((line, at) => [line, group.of[at]])))
  const inFile = lines.flatMap((line) => steps.get(line) ?? []).filter(({ step }) => !step.inFlight)
  const early = inFile.find(({ step }, at) => {
    const before = inFile[at - 1]?.step
    // Two writes side by side may have been sent at the same moment.
    const areTogether = before?.id === step.id + 1 && before.operation.touches && step.operation.touches
    return before?.id > step.id && !areTogether
  })
  return early === undefined ? 'that of the requests' : `${early.request.path} too late`
}

/**
 * A server that's always busy has to write all the same: a line mustn't wait for a quiet moment, nor for another
 * client. Quick requests expose a server that writes after a short silence, slow ones a server that writes a fixed
 * number of lines at a time.
 *
 * @param {Given} given
 * @param {{ draw: () => string, half: { method: string, path: string } }} asked draw: the path of a request; half:
 *   whose body isn't sent meanwhile
 */
export async function expectLinesWhileAsked (given, { draw, half }) {
  const { send, get, random, late } = given
  const log = await watchLog(given)
  await expectLinesOfOneId(given, log, { path: draw(), half })
  const due = random.shuffle(paces)
  await onKeptConnections(async (agent) => {
    send({ ...half, headers: halfBody, agent }).catch(() => {})
    // A pause of the machine is a silence, too: a server with a late line is tried at all paces once more.
    let isLate = false
    for (let at = 0; at < (isLate ? 2 : 1) * due.length; at++) {
      const pauseMs = due[at % due.length]
      const first = random.word(12)
      let waitedMs = 0
      for (let id = first; ; id = random.word(12)) {
        const from = performance.now()
        await get(draw(), { headers: { 'x-request-id': id } })
        if ((await log.rest()).includes(first)) break
        if (waitedMs > steadyMs) {
          late(`access.log: with a request every ${pauseMs} ms, one has no line for longer than a second`)
        }
        await sleep(pauseMs)
        waitedMs += Math.min(performance.now() - from, pauseMs + mostPauseMs)
      }
      isLate ||= waitedMs > lateMs
    }
  })
}

/**
 * Both of two open requests to which their client gave the same id.
 *
 * @param {Given} given @param {Awaited<ReturnType<typeof watchLog>>} log
 * @param {{ path: string, half: { method: string, path: string } }} asked
 */
async function expectLinesOfOneId (given, log, { path, half }) {
  const [tag, id] = [given.random.word(14), given.random.word(14)]
  const headers = { 'x-request-id': id }
  const between = () => given.get(marked(path, `${tag}-2`), { headers })
  await given.send({ ...half, path: marked(half.path, `${tag}-1`), json: {}, chunked: true, headers, between })
  await log.linesOf([`${tag}-1`, `${tag}-2`])
}

/**
 * Sends requests with secrets in them: none may be in the log afterwards.
 *
 * @param {Given} given
 * @param {(Request | ((answers: Answer[]) => Request))[]} requests
 * @param {(answers: Answer[]) => Record<string, string>} secretsOf by what they are: `a password`
 */
export async function expectNoSecrets (given, requests, secretsOf) {
  const { send, random, fail } = given
  const log = await watchLog(given)
  const tag = random.word(14)
  /** @type {Answer[]} */
  const answers = []
  for (const one of requests) {
    const request = typeof one === 'function' ? one(answers) : one
    const headers = { ...request.headers, 'x-request-id': `${tag}-${answers.length}` }
    answers.push(await send({ ...request, headers }))
  }
  await log.linesOf(answers.map((_, index) => `${tag}-${index}`))
  const text = await log.rest()
  for (const [what, secret] of Object.entries(secretsOf(answers))) {
    if (text.includes(secret)) fail(`access.log holds ${what}: a reader of the log could act as another user`)
  }
}

const loadTag = 'load-'

/** The requests that a load has sent to one server. @typedef {ReturnType<typeof newNumbers>} Numbers */
export function newNumbers () {
  // before: the number of the request that was answered last.
  return { tag: `${loadTag}${Math.random().toString(36).slice(2, 8)}`, sent: 0, before: 0 }
}

/**
 * A request of a load says, in its id, which one was answered last before it was sent: so the log itself tells whether
 * a line is missing or in the wrong place.
 *
 * @template {Item} T
 * @param {Numbers} numbers
 * @param {T} item
 * @param {{ inUrl?: boolean }} [options] inUrl: the number is in its query string, and it has no id
 */
export function numbered (numbers, item, { inUrl = false } = {}) {
  const number = ++numbers.sent
  const id = `${numbers.tag}-${number}-after-${numbers.before}`
  return {
    ...item,
    ...inUrl ? { path: marked(item.path, id) } : { headers: { 'x-request-id': id, ...item.headers } },
    answered: (/** @type {LoadAnswer} */ answer) => {
      numbers.before = number
      item.answered?.(answer)
    }
  }
}

/**
 * After a load of numbered requests: is the line of every one of them there?
 *
 * @param {Given} given
 * @param {object} options
 * @param {string} options.path of one more request
 * @param {boolean} [options.isOrdered]
 * @param {(line: Line) => boolean} [options.isRight] asked of the requests that are known to have been answered
 */
export async function expectLoadLogged (given, { path, isOrdered = false, isRight = () => true }) {
  const { dataDir, fail } = given
  const sentAt = Date.now()
  // When this line is there, so must be those before it.
  const { line: { time } } = await lineOf(given, { path })
  if (!(Date.parse(time) > sentAt - slackMs && Date.parse(time) < Date.now() + slackMs)) {
    fail(`access.log: the time of a request made just now is ${JSON.stringify(time)}`)
  }
  const byId = linesById(await reader(dataDir)(), loadTag, (id) => String(id).startsWith(loadTag), fail)
  if (byId.size === 0) fail('access.log: no request of the load has a line')
  const [ids, lines] = [[...byId.keys()], [...byId.values()]]
  const positions = new Map(ids.map((id, at) => [id.replace(/-after-\d+$/, ''), at]))
  for (const [at, id] of ids.entries()) {
    const [, tag, before] = /^(.*?-.*?)-\d+-after-(\d+)$/.exec(id) ?? []
    if (before === '0') continue
    const earlier = positions.get(`${tag}-${before}`) ?? -1
    if (earlier === -1) fail(`access.log: request ${tag}-${before} was answered under load, but has no line`)
    const answered = lines[earlier]
    if (!isRight(answered)) fail(`access.log: the line of a request under load is ${JSON.stringify(answered)}`)
    if (isOrdered && earlier > at) {
      fail(`access.log: the line of ${tag}-${before} comes after that of ${id}, which was sent after its answer`)
    }
  }
}
