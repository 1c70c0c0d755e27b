import http from 'node:http'
import { parseArgs } from 'node:util'
import { runCheck } from '../runner/check/index.js'
import { plan } from '../runner/judge/gate.js'
import { mean, median, standardDeviation } from '../runner/judge/index.js'
import { studentQuantile, trimmedMean } from '../runner/judge/statistics.js'
import { findLessons, loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { askOnce } from '../runner/load/open-loop.js'
import { noVerifier } from '../runner/load/verify.js'
import { makeTemporary, withOneServer } from '../runner/process/index.js'
import { createRandom, newSeed } from '../runner/shared/random.js'
import { aboutRun } from './about.js'
import { runAb } from './tools/ab.js'
import { isInstalled } from './tools/run.js'
import { runWrk } from './tools/wrk.js'

/**
 * Do ab and wrk find the same ratio? For every gate on the rate of a closed loop: the ratio that a check of the
 * reference solution gives, and the one that each tool gives on the same two servers with requests of the same stream.
 * `npm run measure agreement -- [--pairs 5] [--seconds 1] [lesson …]`. Measure alone. A tool that is not installed is
 * left out:
 * `apt install apache2-utils wrk`, `brew install wrk` (macOS brings ab).
 *
 * @import { GateResult, ResultRecord } from '../runner/judge/record.js'
 * @import { Gate, Item, Load } from '../runner/lesson/index.js'
 * @import { LoadedLesson } from '../runner/lesson/load.js'
 * @import { Server } from '../runner/process/index.js'
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '5' }, seconds: { type: 'string', default: '1' } }
})
const pairs = Number(values.pairs)
const seconds = Number(values.seconds)
/** This many requests of the stream represent it. */
const listLength = 200
/** … and so many before them are answered once. */
const askedFirst = 60
/**
 * A check is done after 4 or 5 rounds, when a fast server is not as warm as it is after the seconds that a tool takes.
 * So next to it come more rounds, without the first ones of each pair of servers (rounds.js starts them again
 * after 10).
 */
const warm = { rounds: 20, perPair: 10, leftOut: 4, budgetMs: 90_000 }
const signal = new AbortController().signal

const tools = {
  wrk: { run: runWrk, installed: await isInstalled('wrk', ['--version']) },
  ab: { run: runAb, installed: await isInstalled('ab', ['-V']) }
}
const found =
  positionals.length > 0 ? await Promise.all(positionals.map((name) => resolveLesson(name))) : await findLessons()
const { dir: scratch, remove } = await makeTemporary()
/** @type {Record<string, { within: boolean, difference: number, early: number }[]>} */
const agreed = { wrk: [], ab: [] }

console.log(`${aboutRun()}, ${pairs} pairs of ${seconds} s for each tool\n`)
for (const [name, { installed }] of Object.entries(tools)) {
  if (!installed) console.log(`${name} is not installed here: its column is empty.\n`)
}
console.log('| lesson | gate | a check | the same, warm | wrk | ab |')
console.log('|---|---|---|---|---|---|')
for (const entry of await Promise.all(found.map(loadLesson))) {
  const gates = entry.lesson.gates.filter(({ kind, load }) => kind === 'rate' && isClosed(entry.lesson.loads[load]))
  if (gates.length === 0) continue
  const { record } = await runCheck({ entry, dir: entry.solutionDir })
  const warmRatios = await measureWarm(entry)
  for (const gate of gates) await row(entry, gate, record, warmRatios.get(gate.load))
}
for (const [name, list] of Object.entries(agreed)) {
  if (list.length === 0) continue
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`
  const differences = list.map(({ difference }) => difference)
  console.log(
    `\n${name}: within the interval of a check in ${list.filter(({ within }) => within).length} of ${list.length}; ` +
      `${percent(median(differences))} apart at the median when both are warm, ${percent(Math.max(...differences))} ` +
      `at most; ${percent(median(list.map(({ early }) => early)))} from the ratio of a check.`
  )
}
await remove()

/** @param {Load} load */
function isClosed (load) {
  return load.arrivals === undefined && load.batches === undefined
}

/**
 * The ratios of a check that is not allowed to stop early, by load; the mean without the largest and the smallest.
 *
 * @param {LoadedLesson} entry
 * @returns {Promise<Map<string, number>>}
 */
async function measureWarm (entry) {
  const { interimAnalyses } = plan
  plan.interimAnalyses = [warm.rounds]
  const given = { entry, dir: entry.solutionDir, budgetMs: warm.budgetMs, sampleInside: false }
  const { record: { rounds } } = await runCheck(given)
  plan.interimAnalyses = interimAnalyses
  return new Map(Object.keys(entry.lesson.loads).flatMap((load) => {
    const logs = rounds
      .filter((round) => round.load === load && !round.disturbed && (round.number - 1) % warm.perPair >= warm.leftOut)
      .map(({ baseline, yours }) => Math.log(yours / baseline))
    return logs.length < 4 ? [] : [[load, Math.exp(trimmedMean(logs, 1).centre)]]
  }))
}

/**
 * @param {LoadedLesson} entry
 * @param {Gate} gate
 * @param {ResultRecord} record
 * @param {number} [warmRatio]
 */
async function row (entry, gate, record, warmRatio) {
  const { ratio, interval } = /** @type {GateResult} */ (record.gates.find(({ name }) => name === gate.name))
  const cells = []
  for (const name of /** @type {const} */ (['wrk', 'ab'])) {
    if (!tools[name].installed) {
      cells.push('not installed')
      continue
    }
    try {
      const { centre, low, high, note } = await ratioOf(entry, entry.lesson.loads[gate.load], name)
      cells.push(`${centre.toPrecision(3)} (${low.toPrecision(3)} to ${high.toPrecision(3)})${note}`)
      const apart = (/** @type {number} */ our) => Math.abs(Math.log(centre / our))
      if (ratio && interval && warmRatio) {
        agreed[name].push({
          within: interval[0] <= centre && centre <= interval[1],
          difference: apart(warmRatio),
          early: apart(ratio)
        })
      }
    } catch (error) {
      cells.push(error.message)
    }
  }
  const ours =
    ratio && interval
      ? `${ratio.toPrecision(3)} (${interval[0].toPrecision(3)} to ${interval[1].toPrecision(3)})`
      : `not measured: ${record.reason}`
  console.log(
    `| ${entry.number} ${entry.lesson.title} | ${gate.name} | ${ours} | ` +
      `${warmRatio?.toPrecision(3) ?? 'too few rounds'} | ${cells.join(' | ')} |`
  )
}

/**
 * A tool's ratio from alternating pairs, with a 95 % interval (Student's t on the log ratios). Where the load grows
 * with the requests served, each pair is two fresh servers and a given number of requests.
 *
 * @param {LoadedLesson} entry
 * @param {Load} load
 * @param {'wrk' | 'ab'} name
 */
async function ratioOf (entry, load, name) {
  const seed = newSeed()
  if (load.exactly !== undefined && name === 'wrk') throw new Error('cannot send a given number of requests')
  /** @type {number[]} */
  const logs = []
  let other = 0
  const measure = async (/** @type {number} */ times) => withBoth(entry, seed, async ({ slow, solution, data }) => {
    /** @type {Map<Server, Item[]>} */
    const lists = new Map()
    for (const server of [slow, solution]) lists.set(server, await requestsOf(entry, load, data, seed, server))
    const run = async (/** @type {Server} */ server) => {
      const all = lists.get(server) ?? []
      const alike = new Set(all.map(({ method = 'GET', path }) => `${method} ${path.split(/[?/]/)[1]}`)).size === 1
      if (name === 'ab' && !alike) throw new Error('a mix: ab sends one request')
      const items = name === 'ab' ? all.slice(0, load.exactly === undefined ? 3 : 1) : all
      return tools[name].run({
        connections: load.connections,
        exactly: load.exactly,
        scratch,
        items,
        port: server.port,
        seconds: seconds * (name === 'ab' ? items.length : 1)
      })
    }
    // Both have to be warm, which a tool of one second is not.
    if (load.exactly === undefined) for (const server of [slow, solution]) await run(server)
    for (let i = 0; i < times; i++) {
      const order = i % 2 === 0 ? [slow, solution] : [solution, slow]
      const rates = new Map()
      for (const server of order) {
        const { rate, otherStatus } = await run(server)
        rates.set(server, rate)
        other = Math.max(other, otherStatus)
      }
      logs.push(Math.log(rates.get(solution) / rates.get(slow)))
    }
  })
  if (load.exactly === undefined) await measure(pairs)
  else for (let i = 0; i < pairs; i++) await measure(1)
  const centre = mean(logs)
  const wide = studentQuantile(0.025, logs.length - 1) * standardDeviation(logs) / Math.sqrt(logs.length)
  return {
    centre: Math.exp(centre),
    low: Math.exp(centre - wide),
    high: Math.exp(centre + wide),
    note: other > 0.05 ? `, ${Math.round(100 * other)} % other than 2xx or 3xx` : ''
  }
}

/**
 * @param {LoadedLesson} entry
 * @param {string} seed
 * @param {(given: { slow: Server, solution: Server, data: any }) => Promise<void>} use
 */
function withBoth (entry, seed, use) {
  return withOneServer({ entry, dir: entry.slowDir, seed, signal }, ({ server: slow }) =>
    withOneServer({ entry, dir: entry.solutionDir, seed, signal }, ({ server: solution, session: { data } }) =>
      use({ slow, solution, data })
    )
  )
}

/**
 * Requests of the load's stream, for this server: some are asked first, because a stream learns from the answers (of
 * tags, tokens and numbers). Where they have tags a list will not do: after its first write, all that are sent again
 * are stale.
 *
 * @param {LoadedLesson} entry
 * @param {Load} load
 * @param {any} data
 * @param {string} seed
 * @param {Server} server
 */
async function requestsOf (entry, load, data, seed, server) {
  const next = load.stream({
    random: createRandom(`${seed}/agreement`),
    data,
    model: entry.lesson.model?.({ data })
  })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  // Where the cost grows with the requests served, none are served beforehand.
  for (let i = 0; i < (load.exactly === undefined ? askedFirst : 0); i++) {
    const { answer, problem } = await askOnce({ port: server.port, agent, item: next() })
    if (problem) throw new Error(problem.message)
    answer.item.answered?.(noVerifier.take(answer))
  }
  agent.destroy()
  const items = Array.from({ length: listLength }, next)
  const isTagged = items.some(({ headers = {} }) =>
    Object.keys(headers).some((name) => name.toLowerCase() === 'if-none-match')
  )
  if (isTagged) throw new Error('its tags follow its writes: no list of requests does')
  return items
}
