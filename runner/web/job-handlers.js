import { parseArgs, stripVTControlCharacters } from 'node:util'
import { benchOwn, checkSyntax, isUnchanged } from '../check/index.js'
import { WorkshopError } from '../shared/errors.js'
import { grade, preview, stoppedSentence } from '../grading/index.js'
import { numberUpTo, oneOf, refuse } from '../http/index.js'
import { benchOne, loadOne, runScript } from '../load/index.js'
import { inTurn } from '../process/index.js'
import { runProfile } from '../profiling/index.js'
import { newSeed } from '../shared/random.js'
import { formatNumber, marks, sayUnchanged } from '../report/index.js'
import { readProgress, requireUnfinished } from '../workspace/index.js'
import { byHandOf, loadOptions, sayLoad } from './by-hand.js'

/**
 * What a job of each kind does.
 *
 * @import { ParseArgsConfig } from 'node:util'
 * @import { CheckProgress, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { ByHand } from '../load/index.js'
 * @import { JobKind } from '../process/index.js'
 * @import { Section } from '../report/index.js'
 *
 * @typedef {object} Given
 * @property {LoadedLesson} entry
 * @property {string} dir the learner's copy
 * @property {() => void} onStart its turn has come
 * @property {(event: CheckProgress) => void} onProgress
 * @property {(sentence: string) => void} say
 * @property {AbortSignal} signal
 * @property {number} [seconds] how long a check's rounds, a benchmark or a profile may take
 *
 * @typedef {Given & JobOptions} HandlerGiven
 *
 * @typedef {{ message: string, isStopped?: boolean, record?: ResultRecord, result?: unknown }} Done isStopped: it was
 *   aborted, and the verdict stays as it is
 *
 * @typedef {Record<JobKind, (given: HandlerGiven) => Promise<Done>>} Handlers
 */

/** How long a benchmark and a profile take, s. */
const benchSeconds = 5
const profileSeconds = 3

const where = 'in the browser'

/** @type {Handlers} */
export const handlers = {
  async check ({ entry, dir, more = false, seconds, say, ...given }) {
    const earlier = more ? await requireUnfinished(entry, dir) : undefined
    const { last } = await readProgress(entry)
    const { record, said, isStopped, report } = await grade({
      ...given,
      entry,
      dir,
      where,
      isKept: true,
      earlier,
      budgetMs: earlier && last ? 1000 * longerSeconds(last) : seconds && 1000 * seconds,
      onWait: say
    })
    const stopped = isStopped ? [stoppedSentence(entry.number, true)] : []
    return { message: [...stopped, ...said, ...await report()].join(' '), isStopped, record }
  },

  async preview ({ say, speed, ...given }) {
    if (speed === false) {
      const { record } = await grade({ ...given, where, speed, isKept: false, onWait: say })
      return { message: record.reason, record }
    }
    const { record, isUnchanged } = await preview({ ...given, where, onWait: say })
    return { message: isUnchanged ? sayUnchanged(record.gates[0], marks) : '', record }
  },

  async bench (given) {
    const { seconds = benchSeconds } = given
    return measure('bench', given, async ({ entry, dir, load: loadName, connections, signal }) => {
      const options = { entry, dir, seed: newSeed(), signal }
      const { check } = entry.lesson
      if (check !== undefined) {
        const result = await benchOwn(check, { ...options, longestMs: seconds * 1000 })
        return { message: result.problems[0] ?? `All ${result.answers} answers were right.`, result }
      }
      const result = withoutColour(await benchOne({ ...options, loadName, connections, seconds }))
      return { message: sayBench(result), result }
    })
  },

  async profile (given) {
    return measure('profile', given, async (asked) => {
      const { entry, dir, server, tool = profileTools[0], load, compare, say, signal } = asked
      const isSlow = server === 'slow'
      const { sections } = await runProfile({
        tool,
        entry,
        dir,
        which: isSlow ? 'the slow server' : 'your server',
        stem: server,
        loadName: load,
        compare: tool === 'cpu' && !isSlow && (compare || !isUnchanged(entry, dir)),
        all: true,
        seconds: asked.seconds ?? profileSeconds,
        say,
        signal
      })
      const led = codeFirst(sections, entry)
      return { message: await sayProfile(led, entry), result: { sections: led } }
    })
  },

  async load ({ entry, dir, line = '', url = '', past = [], onStart, say, signal }) {
    const command = byHandOf(line)
    if (command === null) throw refuse(400, 'This command is for a terminal.')
    const { args } = command
    const options = await loadOptions(command, entry, url)
    const done = await inTurn({ about: { kind: 'load', entry, dir }, where, tell: say, signal }, () => {
      onStart()
      return args ? runScript(args, { url, say, signal }) : loadOne(options, signal).then(sayLoad)
    })
    signal.throwIfAborted()
    if (args) return { message: done }
    past.push(done)
    return { message: past.map((said, at) => `${ordinals[at] ?? `${at + 1}th`}: ${said}.`).slice(-3).join(' ') }
  }
}

/** Loads since their server was started. */
const ordinals = ['1st', '2nd', '3rd']

/**
 * Where a lesson is about a function, that comes before how idle the thread is.
 *
 * @param {Section[]} sections
 * @param {LoadedLesson} entry
 * @returns {Section[]}
 */
function codeFirst (sections, { lesson: { mechanism } }) {
  const isAboutCode = mechanism?.shows?.some(({ figure }) => figure === 'function' || figure === 'listeners')
  if (!isAboutCode) return sections
  const isSpent = (/** @type {string} */ sentence) => / is spent in /.test(sentence)
  return sections.map(({ text = [], ...section }) => ({
    ...section, text: [...text.filter(isSpent), ...text.filter((sentence) => !isSpent(sentence))]
  }))
}

/** @param {ByHand} result */
function sayBench ({ figures: { latency }, answers, rate, problems }) {
  const [shownRate, p99] = [rate, latency.p99].map((figure) => formatNumber(figure, marks.none))
  return `${shownRate} requests/s, p99 ${p99} ms. ${problems[0] ?? `All ${answers} answers were right.`}`
}

/** A profile mustn't give the answer of a prediction away. @param {Section[]} sections @param {LoadedLesson} entry */
async function sayProfile (sections, entry) {
  if ((await readProgress(entry)).prediction === null) {
    return 'It’s recorded.'
  }
  // Compared, the first section is the slow server's.
  return (sections.find(({ title }) => title === 'Reading' || title === 'Yours') ?? sections[0])?.text?.[0] ?? ''
}

/**
 * Jobs without a record, one at a time.
 *
 * @param {JobKind} kind
 * @param {HandlerGiven} given
 * @param {(given: HandlerGiven) => Promise<Done>} act
 * @throws {WorkshopError} the server has a syntax error, reported without waiting for a turn
 */
async function measure (kind, given, act) {
  const { entry, dir, onStart, say, signal } = given
  const broken = given.server === 'slow' ? null : await checkSyntax({ entry, dir, signal })
  if (broken !== null) throw new WorkshopError(broken.reason)
  const done = await inTurn({ about: { kind, entry, dir }, where, tell: say, signal }, async () => {
    onStart()
    return act(given)
  })
  signal.throwIfAborted()
  return done
}

/** autocannon looks at our terminal. @template {{ table: string, counts: string }} T @param {T} given @returns {T} */
function withoutColour (given) {
  const { table, counts } = given
  return { ...given, table: stripVTControlCharacters(table), counts: stripVTControlCharacters(counts) }
}

/**
 * The options of a job, from a button or from a command in a lesson's text. Pure.
 *
 * @typedef {object} JobOptions
 * @property {'slow'} [server] instead of the learner's: for a benchmark or a profile
 * @property {string} [tool] of a profile
 * @property {string} [load] name of the load
 * @property {number} [connections] of a benchmark
 * @property {boolean} [compare] a profile next to that of the slow server
 * @property {boolean} [more] of a check: go on with the rounds of the last one
 * @property {number} [seconds] of a profile
 * @property {boolean} [speed] false, of a preview: only whether every answer is right
 * @property {string} [line] of a load: the command
 * @property {string} [url] of the server that's loaded
 * @property {string[]} [past] what the loads before it have shown
 *
 * @typedef {JobOptions & { kind: JobKind | 'serve' | 'send', port?: number, node?: string }} Command send: one request
 */

/** @type {readonly JobKind[]} */
const kinds = ['check', 'preview', 'bench', 'profile', 'load']
/** The tools with a button; the first is the default. */
export const profileTools = ['cpu', 'trace']
const allTools = [...profileTools, 'heap', 'loop', 'prof']
const mostConnections = 1000
const longestProfile = 30
/** Flags for node that change nothing but what a server writes. */
const nodeFlags = ['--trace-warnings', '--trace-deprecation']

/** @param {any} body as it came @returns {JobKind} @throws with a status */
export function readKind ({ kind }) {
  return oneOf(kind, kinds, `A job is one of ${kinds.join(', ')}.`)
}

/**
 * @param {JobKind} kind
 * @param {any} body as it came
 * @param {LoadedLesson['lesson']} lesson
 * @returns {JobOptions} what this kind takes; everything else is left out
 * @throws with a status
 */
export function readOptions (kind, { tool = profileTools[0], load, seconds, ...body }, lesson) {
  const { connections, compare, more } = body
  if (kind === 'check') return more === true ? { more } : {}
  if (lesson.check !== undefined) return {}
  if (kind === 'preview') return body.speed === false ? { speed: false } : {}
  const given = { ...readServer(body), ...load === undefined ? {} : { load: loadOf(load, lesson) } }
  if (kind === 'bench') {
    const sentence = `Connections are a whole number from 1 to ${mostConnections}.`
    if (connections === undefined) return given
    return { ...given, connections: numberUpTo(connections, mostConnections, sentence) }
  }
  oneOf(tool, allTools, `A profile is made with one of ${allTools.join(', ')}.`)
  const longest = `A profile takes 1 to ${longestProfile} s.`
  return {
    ...given,
    tool,
    ...compare === true && tool === 'cpu' && { compare },
    ...seconds !== undefined && { seconds: numberUpTo(seconds, longestProfile, longest) }
  }
}

/** @param {unknown} node @returns {string[]} @throws with a status */
export function readNodeFlags (node) {
  return node === undefined ? [] : [oneOf(node, nodeFlags, `A flag for node is one of ${nodeFlags.join(', ')}.`)]
}

/** @param {any} body as it came @returns {{ server?: 'slow' }} empty: the learner's @throws with a status */
export function readServer ({ server = 'mine' }) {
  return oneOf(server, ['mine', 'slow'], 'A server is mine or slow.') === 'slow' ? { server: 'slow' } : {}
}

/** @param {unknown} name @param {LoadedLesson['lesson']} lesson */
function loadOf (name, { loads }) {
  if (typeof name !== 'string' || !Object.hasOwn(loads, name)) {
    throw refuse(400, `A load of this lesson is one of ${Object.keys(loads).join(', ')}.`)
  }
  return name
}

/**
 * What was measured and how: the same for a command of the text, a button, and the job that they start.
 *
 * @param {{ kind: string } & JobOptions} asked
 */
export function nameOf ({ kind, server, tool = profileTools[0], load, connections, compare, seconds, speed, line }) {
  if (kind === 'check') return kind
  const parts = [kind, server, load, connections, kind === 'profile' && tool, compare && 'compare', seconds,
    speed === false && 'answers', line]
  return parts.filter(Boolean).join(' ')
}

/** The flags that a command may have here, by its name. @satisfies {Record<string, ParseArgsConfig['options']>} */
const flags = {
  check: { more: { type: 'boolean' }, 'no-speed': { type: 'boolean' } },
  bench: { load: { type: 'string' }, connections: { type: 'string' } },
  profile: {
    load: { type: 'string' },
    tool: { type: 'string' },
    compare: { type: 'boolean' },
    open: { type: 'boolean' },
    seconds: { type: 'string' }
  },
  serve: { port: { type: 'string' }, node: { type: 'string' } }
}

/**
 * What a command in a lesson's text does from its page: a job, a server or a request.
 *
 * @param {string} line `npm run bench lesson-3 slow -- --load alone`
 * @param {string[]} names by which commands call this lesson
 * @returns {Command | null} null: it's for a terminal only
 */
export function commandOf (line, names) {
  const byHand = byHandOf(line)
  if (byHand !== null) return { kind: byHand.tool === 'curl' ? 'send' : 'load', line }
  const [npm, run, name = '', ...args] = line.trim().split(/\s+/)
  if (npm !== 'npm' || run !== 'run' || !Object.hasOwn(flags, name)) return null
  const kind = /** @type {keyof typeof flags} */ (name)
  try {
    const words = args.filter((arg) => arg !== '--')
    const { values, positionals } = parseArgs({ args: words, options: flags[kind], allowPositionals: true })
    const [lesson, server = 'mine', ...surplus] = positionals
    if (!names.includes(lesson) || surplus.length > 0) return null
    const { open, connections, port, seconds, 'no-speed': quick, ...rest } = /** @type {Record<string, any>} */ (values)
    if (rest.tool !== undefined && !allTools.includes(rest.tool)) return null
    if (rest.node !== undefined && !nodeFlags.includes(rest.node)) return null
    if (kind === 'check' && positionals.length > 1) return null
    return {
      kind: quick ? 'preview' : kind,
      ...quick && { speed: false },
      ...rest,
      ...readServer({ server }),
      ...connections && { connections: Number(connections) },
      ...seconds && { seconds: Number(seconds) },
      ...port && { port: Number(port) }
    }
  } catch {
    return null
  }
}

const least = 20
const most = 300

/**
 * How much longer an inconclusive check is measured. Pure.
 *
 * @param {Pick<ResultRecord, 'gates'>} record
 * @returns {number} s, a multiple of five
 */
export function longerSeconds ({ gates }) {
  const seconds = gates.map(({ verdict, moreSeconds }) => verdict === 'inconclusive' ? moreSeconds ?? 0 : 0)
  return Math.min(most, Math.max(least, Math.ceil(Math.max(0, ...seconds) * 1.2 / 5) * 5))
}
