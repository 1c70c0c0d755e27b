import { parseArgs } from 'node:util'
import { openHub } from '../runner/inside/index.js'
import { mean, standardDeviation } from '../runner/judge/index.js'
import { studentQuantile } from '../runner/judge/statistics.js'
import { findLessons, loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { startGenerator } from '../runner/load/index.js'
import { withOneServer } from '../runner/process/index.js'
import { newSeed } from '../runner/shared/random.js'
import { aboutRun } from './about.js'

/**
 * What the recorder costs a server: the rate of the same solution without it, with it at rest, and while it records, in
 * turn within one run. A check never times a server that has one. `npm run measure recorder -- [--rounds 20] [lesson
 * …]`. Measure alone.
 *
 * @import { LoadedLesson } from '../runner/lesson/index.js'
 * @import { Server, Session } from '../runner/process/index.js'
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '20' } }
})
const rounds = Number(values.rounds)
const signal = new AbortController().signal
const sliceMs = 400
const warmUpMs = 1500
const usual = ['1', '3', '4', '8', '15']

console.log(`${aboutRun()}, ${rounds} rounds\n`)
console.log('| lesson | load | recorder at rest / none | recording / none | event loop / none | none / none (A/A) |')
console.log('|---|---|---|---|---|---|')
const found = await Promise.all((positionals.length > 0 ? positionals : usual).map((name) => resolveLesson(name)))
for (const entry of await Promise.all((found.length > 0 ? found : await findLessons()).map(loadLesson))) {
  await row(entry)
}

/** @param {LoadedLesson} entry */
async function row (entry) {
  const { load: loadName } = entry.lesson.mechanism
  const seed = newSeed()
  const hub = await openHub()
  const open = (
    /** @type {Record<string, string>} */ env,
    /** @type {(server: Server, session: Session) => Promise<void>} */ use
  ) => {
    return withOneServer({ entry, dir: entry.solutionDir, seed, signal, start: { env } }, ({ server, session }) =>
      use(server, session)
    )
  }
  /** @type {Logs} */
  const logs = { rest: [], recording: [], loop: [], same: [] }
  await open({}, (none) => open({}, (same) => open(hub.env, async (recorded, session) => {
    const generator = await startGenerator(session)
    const rateOf = async (/** @type {Server} */ server, ms = sliceMs) =>
      (
        await generator.slice({
          instance: `${server === none ? 'none' : server === same ? 'same' : 'recorded'}#1`,
          load: loadName,
          port: server.port,
          sliceMs: ms,
          sliceAnswers: 5
        })
      ).rate
    for (const server of [none, same, recorded]) await rateOf(server, warmUpMs)
    const measureNone = () => rateOf(none)
    // At rest first: nothing was ever asked of this recorder.
    await takeTurns(
      logs,
      { none: measureNone, same: () => rateOf(same), rest: () => rateOf(recorded) },
      { same: 'same', rest: 'rest' }
    )
    /** @param {[string, object?][]} begin @param {[string, object?][]} end */
    const recording = (begin, end) => async () => {
      for (const [order, params] of begin) await hub.ask(order, params)
      const rate = await rateOf(recorded)
      for (const [order, params] of end) await hub.ask(order, params)
      return rate
    }
    const cpu = /** @type {[string, object]} */ (['startCpu', { intervalUs: 500 }])
    // Without an end: a recording of the event loop is shorter than a slice.
    const frame = /** @type {[string, object]} */ (['frameLoop', { fromUs: 0, toUs: 1e15, most: 1e9 }])
    await takeTurns(logs, {
      none: measureNone,
      recording: recording([['startFigures'], cpu], [['stopCpu'], ['stopFigures', { collect: false }]])
    }, { recording: 'recording' })
    await takeTurns(logs, {
      none: measureNone,
      loop: recording([cpu, ['startLoop'], frame], [['stopLoop'], ['stopCpu']])
    }, { loop: 'loop' })
  })))
  await hub.close()
  console.log(
    `| ${entry.number} ${entry.lesson.title} | ${loadName} | ${say(logs.rest)} | ${say(logs.recording)} | ` +
      `${say(logs.loop)} | ${say(logs.same)} |`
  )
}

/**
 * @typedef {Record<'rest' | 'recording' | 'loop' | 'same', number[]>} Logs of each rate over that without a recorder
 *
 * @param {Logs} logs
 * @param {Record<string, () => Promise<number>>} measures
 * @param {Record<string, keyof Logs>} into
 */
async function takeTurns (logs, measures, into) {
  const names = Object.keys(measures)
  for (let round = 0; round < rounds; round++) {
    /** @type {Record<string, number>} */
    const rates = {}
    // Each has each place equally often.
    for (let i = 0; i < names.length; i++) {
      rates[names[(i + round) % names.length]] = await measures[names[(i + round) % names.length]]()
    }
    for (const [name, list] of Object.entries(into)) logs[list].push(Math.log(rates[name] / rates.none))
  }
}

/** Geometric mean with a 95 % interval (Student's t on the log ratios). @param {number[]} logs */
function say (logs) {
  const centre = mean(logs)
  const wide = studentQuantile(0.025, logs.length - 1) * standardDeviation(logs) / Math.sqrt(logs.length)
  return `${Math.exp(centre).toFixed(3)} (${Math.exp(centre - wide).toFixed(3)} to ` +
    `${Math.exp(centre + wide).toFixed(3)})`
}
