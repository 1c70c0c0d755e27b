import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { WorkshopError } from '../shared/errors.js'
import {
  dieWithParent, entryOf, markerNames, markerOf, newRunMarker, openFaultControl, stopTree, withOneServer
} from '../process/index.js'
import { createRandom } from '../shared/random.js'
import { workshopRoot } from '../shared/workshop.js'
import { loadAutocannon, runClosedLoop } from './closed-loop.js'
import { createVerifier } from './verify.js'

/**
 * One of a lesson's servers by hand: loaded, or served until it's stopped.
 *
 * @import { Item, LoadedLesson } from '../lesson/index.js'
 * @import { StartOptions } from '../process/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 */

/**
 * Starts one of a lesson's servers and loads it as a person would by hand: with autocannon for some seconds, and its
 * own table. The answers are verified all the same, because the table would not tell.
 *
 * @typedef {Awaited<ReturnType<typeof benchOne>>} ByHand
 * @typedef {Record<string, number>} Stats by autocannon's names: `p50`, `average`, `max`
 * @typedef {{ latency: Stats, requests: Stats, bytes: Stats }} Figures ms, and those of each second
 *
 * @param {{ entry: LoadedLesson, dir: string, loadName?: string, connections?: number, seconds: number, seed: string,
 *   onStart?: (given: { loadName: string, connections: number, seconds: number }) => void, signal: AbortSignal }} given
 *   dir: the folder with server.js; loadName: default is the lesson's first; connections: default are those of the load
 * @throws {WorkshopError} the server does not start
 */
export function benchOne ({ entry, dir, seed, seconds, signal, onStart, ...given }) {
  const { lesson } = entry
  const { loadName = Object.keys(lesson.loads)[0] } = given
  const load = lesson.loads[loadName]
  const { connections = load.connections } = given
  return withOneServer({ entry, dir, seed, signal }, async ({ server: { port }, session: { data } }) => {
    const next = load.stream({ random: createRandom(`${seed}/bench`), data, model: lesson.model?.({ data }) })
    onStart?.({ loadName, connections, seconds })
    const verifier = createVerifier()
    const startedAt = performance.now()
    const endsAt = startedAt + seconds * 1000
    const onAnswer = (/** @type {RawAnswer} */ answer) => {
      verifier.take(answer)
      return performance.now() < endsAt && !signal.aborted
    }
    const loop = await runClosedLoop({ port, connections, next, sampleMs: 1000, onAnswer })
    const { receivedAt: { length: answers }, broken, result } = loop
    // autocannon's average also counts a last second that is nearly empty.
    const rate = answers / ((performance.now() - startedAt) / 1000)
    const { wrong, problems } = verifier.finish()
    const { printResult } = await loadAutocannon()
    return {
      /** autocannon's own. */
      table: printResult(result, {}).trim(),
      /** The same for a narrow one. @type {Figures} */
      figures: { latency: result.latency, requests: result.requests, bytes: result.throughput },
      /** The lines below both. */
      counts: printResult(result, /** @type {any} */ ({ verbose: false })).trim(),
      answers,
      rate,
      wrong,
      problems: [broken, ...problems].filter((problem) => problem !== null).map(({ message }) => message)
    }
  })
}

/**
 * Loads a server that's running, as the command line of autocannon does.
 *
 * @typedef {Awaited<ReturnType<typeof loadOne>>} Loaded
 *
 * @param {import('autocannon').Options} options
 * @param {AbortSignal} signal
 */
export async function loadOne (options, signal) {
  const autocannon = await loadAutocannon()
  /** @type {import('autocannon').Result} */
  const result = await new Promise((resolve, reject) => {
    const running = autocannon(options, (error, result) => error ? reject(error) : resolve(result))
    signal.addEventListener('abort', () => running.stop?.())
  })
  const { latency, non2xx, errors, timeouts } = result
  return {
    /** ms */
    mean: latency.average,
    p99: latency.p99,
    non2xx,
    errors: errors + timeouts
  }
}

const mostOutput = 4000

/**
 * Runs a script of a lesson until it ends or is aborted, and stops what it has started.
 *
 * @param {string[]} args of node
 * @param {{ url: string, say: (output: string) => void, signal: AbortSignal }} given url: of the server that it loads
 *   instead of the one that it names; may be empty
 * @returns {Promise<string>} the end of what it has written
 */
export async function runScript (args, { url, say, signal }) {
  const aimed = args.map((arg) => url === '' ? arg : arg.replace(/^http:\/\/127\.0\.0\.1:\d+/, url))
  const marker = newRunMarker()
  const env = { ...process.env, ...url !== '' && { PORT: new URL(url).port }, [markerNames.server]: marker }
  const child = spawn(...dieWithParent(process.execPath, aimed), { cwd: workshopRoot, env, windowsHide: true })
  const entry = entryOf(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => say(output = (output + text).slice(-mostOutput)))
  }
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await Promise.race([once(child, 'close'), aborted])
  await stopTree({ child, proof: { noted: entry ? [entry] : [], markers: [markerOf('server', marker)] } })
  return output.trimEnd()
}

/**
 * Starts one of a lesson's servers for use by hand, until it's aborted.
 *
 * @param {{ entry: LoadedLesson, dir: string, seed: string, start?: StartOptions, signal: AbortSignal }} given dir: the
 *   folder with server.js
 * @param {(serving: { origin: string, dataDir: string, example: Item, upstream: { service: string, control: string } |
 *   null }) => void} onStart example: a request of the lesson's first load; upstream: addresses of the service that it
 *   calls, and of what makes that go wrong
 * @returns {Promise<void>}
 * @throws {WorkshopError} it doesn't start, or ends by itself
 */
export function serveOne ({ entry, dir, seed, start, signal }, onStart) {
  return withOneServer({ entry, dir, seed, start, signal }, async ({ server, session: { data } }) => {
    const load = Object.values(entry.lesson.loads)[0]
    const model = entry.lesson.model?.({ data })
    const control = server.upstream && await openFaultControl(server.upstream)
    onStart({
      origin: server.origin,
      dataDir: server.dataDir,
      example: load.stream({ random: createRandom(seed), data, model })(),
      upstream: server.upstream && control ? { service: server.upstream.url, control: control.url } : null
    })
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    if (!signal.aborted) await Promise.race([server.exited, aborted])
    control?.close()
    if (!signal.aborted) throw new WorkshopError(`The server ${server.howItEnded()}.`)
  })
}
