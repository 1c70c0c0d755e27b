import { stripVTControlCharacters } from 'node:util'
import { WorkshopError } from '../../shared/errors.js'
import { loadLesson, resolveLesson } from '../../lesson/index.js'
import { inTurn } from '../../process/index.js'
import { newSeed } from '../../shared/random.js'
import { blockText, capabilitiesOf } from '../../report/index.js'
import { openCopy } from '../../workspace/index.js'
import { portOf, say, text, wholeNumber } from '../say.js'

/**
 * The commands that start one of a lesson's servers: `serve` and `bench` here, `profile` in a file of its own.
 *
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Figures } from '../../load/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { Command, Output } from '../say.js'
 */

/**
 * Reads `lesson-3 [slow|mine|solution]` from a command line.
 *
 * @param {string[]} positionals
 * @param {{ env: NodeJS.ProcessEnv, usage: string, server?: string }} options server: a folder given by --server
 * @returns {Promise<{ entry: LoadedLesson, dir: string, which: string }>}
 * @throws {WorkshopError}
 */
export async function findServer ([name, which = 'mine', ...surplus], { env, usage, server }) {
  if (!name || surplus.length > 0) throw new WorkshopError(`Say which lesson, one at a time: ${usage}`)
  const entry = await loadLesson(await resolveLesson(name, { env }))
  if (server !== undefined) return { entry, dir: server, which: server }
  const { check } = entry.lesson
  if (which === 'slow' && check !== undefined) {
    throw new WorkshopError(`Lesson ${entry.number} is about ${entry.file}, not about a server: say mine or solution.`)
  }
  if (which === 'slow') return { entry, dir: entry.slowDir, which: 'the slow server' }
  if (which === 'solution') return { entry, dir: entry.solutionDir, which: 'the solution' }
  if (which !== 'mine') throw new WorkshopError(`“${which}” isn’t slow, mine or solution: ${usage}`)
  const { dir } = await openCopy(entry)
  return { entry, dir, which: `your ${check?.writes ?? 'server'}` }
}

/** @type {Command} */
export const serve = {
  options: { server: text, node: { ...text, multiple: true }, port: text, seed: text },
  stays: true,
  usage: 'npm run serve lesson-N [slow|mine|solution] [-- --node=--inspect] [--port N]',
  help: `Start one of a lesson's servers with this lesson's data, for curl, a browser or a profiler.
Ctrl-C stops it.

  slow | mine | solution   which server, default mine
  --server DIR             or any other folder with a server.js
  --node=FLAG              pass a flag to node, such as --node=--inspect; you can give it more than once
  --port N                 listen there, not on a free port
  --seed SEED              the data of an earlier run, as a check prints it`,

  async run ({ values, positionals, stdout, env, signal }) {
    const { entry, dir, which } = await findServer(positionals, { env, usage: serve.usage, server: values.server })
    if (entry.lesson.check !== undefined) {
      throw new WorkshopError(
        `Lesson ${entry.number} is about ${entry.file}, so there’s no server of yours to start: npm run bench ` +
          `lesson-${entry.number} shows what your ${entry.lesson.check.writes} measures.`
      )
    }
    const start = { nodeArgs: values.node, stdio: /** @type {const} */ ('inherit'), port: portOf(values.port) }
    const { serveOne } = await import('../../load/index.js')
    const given = { entry, dir, seed: values.seed ?? newSeed(), start, signal }
    await serveOne(given, ({ origin, dataDir, example, upstream }) => {
      say(stdout, `Lesson ${entry.number}, ${which}, listens on ${origin} until Ctrl-C stops it. Its DATA_DIR:`)
      stdout.write(`  ${dataDir}\n`)
      const { method = 'GET', path, json } = example
      stdout.write(method === 'GET'
        ? `Try: curl -i "${origin}${path}"\n`
        : `A request of its load: ${method} ${path} ${json === undefined ? '' : JSON.stringify(json)}\n`)
      if (upstream === null) return
      say(stdout, `It calls the service at ${upstream.service}. To make that go wrong, as a check does ` +
        '(an empty list ends it):')
      stdout.write(`  curl -d '[{"path":"/","status":500}]' ${upstream.control}\n`)
    })
    return 0
  }
}

/** @type {Command} */
export const bench = {
  options: { server: text, load: text, connections: text, seconds: { ...text, default: '5' }, seed: text },
  usage: 'npm run bench lesson-N [slow|mine|solution] [-- --seconds 5] [--connections N] [--load NAME]',
  help: `Load one server for a few seconds and show autocannon's table, as you'd get it by hand.
Every answer is checked as well: the table alone doesn't tell a right answer from a wrong one.

  slow | mine | solution   which server, default mine
  --server DIR             or any other folder with a server.js
  --seconds N              how long, default 5
  --connections N          how many, default those of the lesson
  --load NAME              which of the lesson's loads, default the first

In a lesson that isn’t about a server, it tries once what you’ve written.`,

  async run ({ values, positionals, stdout, env, signal }) {
    const { entry, dir, which } = await findServer(positionals, { env, usage: bench.usage, server: values.server })
    /** @type {Parameters<typeof inTurn>[0]} */
    const turn = { about: { kind: 'bench', entry, dir }, tell: (sentence) => say(stdout, sentence), signal }
    const seed = values.seed ?? newSeed()
    const { check } = entry.lesson
    if (check !== undefined) {
      return inTurn(turn, () => benchIt(check, { entry, dir, which, stdout, seed, signal }))
    }
    const given = {
      entry,
      dir,
      loadName: loadOf(entry, values.load),
      connections: values.connections === undefined
        ? undefined
        : wholeNumber('--connections', values.connections, 1, 1000),
      seconds: wholeNumber('--seconds', values.seconds, 1, 600),
      seed,
      signal
    }
    const { benchOne } = await import('../../load/index.js')
    return inTurn(turn, async () => {
      const { table, figures, counts, answers, wrong, problems } = await benchOne({
        ...given,
        onStart: ({ loadName, connections, seconds }) => say(stdout, `Lesson ${entry.number}, ${which}: load ` +
          `“${loadName}” from ${connections} connections for ${seconds} s …`)
      })
      signal.throwIfAborted()
      const room = capabilitiesOf(stdout)
      const widest = Math.max(...stripVTControlCharacters(table).split('\n').map(({ length }) => length))
      if (room.uncut || widest <= room.columns) stdout.write(`${table}\n\n`)
      else stdout.write(`${blockText(narrowTable(figures, counts), { stream: stdout })}\n\n`)
      if (problems.length === 0) say(stdout, `All ${answers} answers were right.`)
      else say(stdout, `${wrong > 0 ? `${wrong} of ${answers} answers were wrong` : 'It ended early'}: ${problems[0]}`)
      return problems.length === 0 ? 0 : 1
    })
  }
}

/** @param {LoadedLesson} entry @param {string} [name] */
function loadOf ({ number, lesson: { loads } }, name) {
  if (name === undefined || Object.hasOwn(loads, name)) return name
  throw new WorkshopError(`Lesson ${number} has no load called ${name}; it has ${Object.keys(loads).join(', ')}.`)
}

/** People don't wait any longer for one run. */
const longestRunMs = 10_000

/**
 * What isn't a server, once.
 *
 * @param {NonNullable<LoadedLesson['lesson']['check']>} check
 * @param {{ entry: LoadedLesson, dir: string, which: string, stdout: Output, seed: string, signal: AbortSignal }} given
 */
async function benchIt (check, { entry, dir, which, stdout, seed, signal }) {
  const { benchOwn } = await import('../../check/index.js')
  say(stdout, `Lesson ${entry.number}, ${which}: once, on a server and on one that is slower …`)
  const { servers, figures, unit, answers, wrong, problems, elapsedMs, cut } = await benchOwn(check, {
    entry,
    dir,
    seed,
    longestMs: longestRunMs,
    signal
  })
  const show = (/** @type {number | null} */ figure) =>
    figure === null ? 'no answer' : `${Number(figure.toPrecision(3))} ${unit}`
  servers.forEach((name, at) => stdout.write(`  ${name}  ${show(figures[at])}\n`))
  say(
    stdout,
    `${answers} answers in ${Number((elapsedMs / 1000).toPrecision(3))} ` +
      `s.${cut ? ` Each run was cut short after ${longestRunMs / 1000} s.` : ''}`
  )
  if (problems.length > 0) say(stdout, `${wrong} requests got a wrong answer, or none: ${problems[0]}`)
  return problems.length === 0 ? 0 : 1
}

/** The statistics of autocannon's table, by their titles there. */
const statistics = {
  '1%': 'p1',
  '2.5%': 'p2_5',
  '50%': 'p50',
  '97.5%': 'p97_5',
  '99%': 'p99',
  Avg: 'average',
  Stdev: 'stddev',
  Min: 'min',
  Max: 'max'
}

/**
 * autocannon's figures as a narrow table, for windows in which its own would break.
 *
 * @param {Figures} figures
 * @param {string} counts autocannon's lines below its table
 * @returns {Omit<Section, 'title'>}
 */
export function narrowTable ({ latency, requests, bytes }, counts) {
  const whole = (/** @type {number | undefined} */ value) => value === undefined ? '' : value.toLocaleString('en')
  const rows = Object.entries(statistics).map(([title, stat]) => [
    title,
    stat === 'min' || stat === 'p1' ? '' : `${whole(latency[stat])} ms`,
    stat === 'max' || stat === 'p99' ? '' : whole(requests[stat]),
    stat === 'max' || stat === 'p99' ? '' : `${whole(Number((bytes[stat] / 1e6).toPrecision(3)))} MB`
  ])
  return {
    columns: ['Stat', '#Latency', '#Req/Sec', '#Bytes/Sec'],
    rows,
    notes: counts.split('\n')
  }
}
