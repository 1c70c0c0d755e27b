import { parseArgs } from 'node:util'
import { numberUpTo, oneOf, refuse } from '../../http/index.js'

/**
 * The options of a job, from a button or from a command in a lesson's text. Pure.
 *
 * @import { ParseArgsConfig } from 'node:util'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { JobKind } from '../../process/index.js'
 *
 * @typedef {object} JobOptions
 * @property {'slow'} [server] instead of the learner's: for a benchmark or a profile
 * @property {string} [tool] of a profile
 * @property {string} [load] name of the load
 * @property {number} [connections] of a benchmark
 * @property {boolean} [compare] a profile next to that of the slow server
 * @property {boolean} [more] of a check: go on with the rounds of the last one
 *
 * @typedef {JobOptions & { kind: JobKind | 'serve', port?: number }} Command
 */

/** @type {readonly JobKind[]} */
const kinds = ['check', 'preview', 'bench', 'profile']
/** The tools with a button; the first is the default. */
export const profileTools = ['cpu', 'trace']
const allTools = [...profileTools, 'heap', 'prof']
const mostConnections = 1000

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
export function readOptions (kind, { tool = profileTools[0], load, connections, compare, more, ...body }, lesson) {
  if (kind === 'check') return more === true ? { more } : {}
  if (kind === 'preview' || lesson.kind === 'load plan') return {}
  const given = { ...readServer(body), ...load === undefined ? {} : { load: loadOf(load, lesson) } }
  if (kind === 'bench') {
    const sentence = `Connections are a whole number from 1 to ${mostConnections}.`
    if (connections === undefined) return given
    return { ...given, connections: numberUpTo(connections, mostConnections, sentence) }
  }
  oneOf(tool, allTools, `A profile is made with one of ${allTools.join(', ')}.`)
  return { ...given, tool, ...compare === true && tool === 'cpu' && { compare } }
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
export function nameOf ({ kind, server, tool = profileTools[0], load, connections, compare }) {
  if (kind === 'check') return kind
  return [kind, server, load, connections, kind === 'profile' && tool, compare && 'compare'].filter(Boolean).join(' ')
}

/** The flags that a command may have here, by its name. @satisfies {Record<string, ParseArgsConfig['options']>} */
const flags = {
  check: { more: { type: 'boolean' } },
  bench: { load: { type: 'string' }, connections: { type: 'string' } },
  profile: {
    load: { type: 'string' }, tool: { type: 'string' }, compare: { type: 'boolean' }, open: { type: 'boolean' }
  },
  serve: { port: { type: 'string' } }
}

/**
 * The job that a command in a lesson's text starts.
 *
 * @param {string} line `npm run bench lesson-3 slow -- --load alone`
 * @param {string[]} names by which commands call this lesson
 * @returns {Command | null} null: it's for a terminal only
 */
export function commandOf (line, names) {
  const [npm, run, name = '', ...args] = line.trim().split(/\s+/)
  if (npm !== 'npm' || run !== 'run' || !Object.hasOwn(flags, name)) return null
  const kind = /** @type {keyof typeof flags} */ (name)
  try {
    const words = args.filter((arg) => arg !== '--')
    const { values, positionals } = parseArgs({ args: words, options: flags[kind], allowPositionals: true })
    const [lesson, server = 'mine', ...surplus] = positionals
    if (!names.includes(lesson) || surplus.length > 0) return null
    const { open, connections, port, ...rest } = /** @type {Record<string, any>} */ (values)
    if (rest.tool !== undefined && !allTools.includes(rest.tool)) return null
    if (kind === 'check' && positionals.length > 1) return null
    return {
      kind,
      ...rest,
      ...readServer({ server }),
      ...connections && { connections: Number(connections) },
      ...port && { port: Number(port) }
    }
  } catch {
    return null
  }
}
