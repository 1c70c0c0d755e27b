import { readCpuProfile, stacksBelow } from './cpu-profile.js'
import { calledName, threadTitle } from './profile-messages.js'

/**
 * A moment of a server's event loops: what each thread ran, and what became of each request meanwhile. First it's
 * recorded, then it's read, which is pure.
 *
 * @import { CpuProfile, Frame } from './cpu-profile.js'
 * @import { Hub } from './recorder.js'
 * @import { LoopEvents } from './recorder/event-loop.js'
 *
 * @typedef {object} SentRequest as the load generator saw it; µs of process.hrtime()
 * @property {number} port the client's
 * @property {string} path
 * @property {number} sentUs
 * @property {number} receivedUs
 *
 * @typedef {object} LoopRecording
 * @property {string} dir the folder of the server
 * @property {number} fromUs
 * @property {number} toUs
 * @property {SentRequest[]} sent
 * @property {{ title: string, events: LoopEvents, profile: any }[]} threads profile: V8's
 */

/** More would cost the server too much, and tell no more. */
const longestMs = 300
const mostCallbacks = 2000
const intervalUs = 500
const orderMs = 5000

/**
 * @param {object} given
 * @param {Hub} given.hub
 * @param {{ pid: number, dir: string }} given.server
 * @param {number} given.leadMs how long the load has run when the moment begins
 * @param {number} [given.warmUpMs] of load before that: V8 names no code that it replaced before the profile began
 * @param {(ms: number) => Promise<SentRequest[]>} given.load
 * @param {number} [given.forMs] another length, in tests
 * @returns {Promise<LoopRecording | null>} null: no thread could be recorded
 */
export async function recordLoop ({ hub, server, leadMs, warmUpMs = 0, load, forMs = longestMs }) {
  const to = hub.members()
  const ask = (/** @type {string} */ order, params = {}) => hub.ask(order, params, { to, timeoutMs: orderMs })
  await ask('startCpu', { intervalUs })
  if (warmUpMs > 0) await load(warmUpMs)
  await ask('startLoop')
  await ask('markCpu')
  const earliestUs = Number(process.hrtime.bigint()) / 1000 + leadMs * 1000
  const toUs = earliestUs + forMs * 1000
  await ask('frameLoop', { fromUs: earliestUs, toUs, most: mostCallbacks })
  const sent = await load(leadMs + forMs)
  const profiles = await ask('stopCpu')
  const taken = await ask('stopLoop')
  const threads = taken.flatMap(({ member, value: events }) => {
    const profile = profiles.find((one) => one.member === member)?.value
    return events && profile ? [{ title: threadTitle(member, server.pid), events, profile }] : []
  })
  const fromUs = Math.max(earliestUs, Math.min(...sent.map(({ sentUs }) => sentUs)))
  return threads.length === 0 || !(fromUs < toUs) ? null : { dir: server.dir, fromUs, toUs, sent, threads }
}

/**
 * What a picture shows of one server. All times are ms from the beginning of the moment; what began before is negative.
 *
 * @typedef {[from: number, to: number]} Span
 *
 * @typedef {object} LoopBlock the thread did this in one go
 * @property {number} from
 * @property {number} to
 * @property {string} name of the function in which most of it was seen, with what that called: `login › pbkdf2Sync`
 * @property {number | null} request its place in `requests`; null: for none, or for none that's known
 * @property {Span[]} pale when it was not seen to run: on a busy machine the thread had no core then
 *
 * @typedef {{ title: string, blocks: LoopBlock[], gcs: Span[], fullAt: number | null }} LoopThread fullAt: from then on
 *   nothing was recorded, because there was too much
 *
 * @typedef {object} LoopRequest
 * @property {string} route `/login`, `/avatars/…`
 * @property {number} lane requests of one connection have one
 * @property {number} sent
 * @property {number | null} read by the server; null: not in this moment
 * @property {number | null} done when its response was handed to the system; null: not in this moment
 * @property {number} received
 * @property {Span[]} work when a thread ran something for it
 * @property {Span[]} pool when it was with the thread pool, or its result waited for the thread
 *
 * @typedef {{ ms: number, poolSize: number, threads: LoopThread[], requests: LoopRequest[] }} LoopSide
 *
 * @param {LoopRecording} recording
 * @param {(place: string) => string | null} [routeAt] the route whose handler begins there
 * @returns {LoopSide}
 */
export function readLoop ({ dir, fromUs, toUs, sent, threads }, routeAt) {
  const ms = (/** @type {number} */ us) => Math.round(us - fromUs) / 1000
  const flying = sent.filter(({ sentUs, receivedUs }) => receivedUs > fromUs && sentUs < toUs)
    .sort((a, b) => a.sentUs - b.sentUs)
  const lanes = lanesOf(flying)
  /** @type {LoopRequest[]} */
  const requests = flying.map(({ path, sentUs, receivedUs }, at) => ({
    route: routeOf(path),
    lane: lanes[at],
    sent: ms(sentUs),
    read: null,
    done: null,
    received: ms(receivedUs),
    work: [],
    pool: []
  }))
  const shown = threads.map(({ title, events, profile }) => {
    const { samples, root } = readCpuProfile(profile, { dir })
    const placeOf = join(events, flying)
    events.requests.forEach(({ fromUs, toUs }, at) => {
      const request = requests[placeOf[at] ?? -1]
      if (request) Object.assign(request, { read: ms(fromUs), done: toUs === null ? null : ms(toUs) })
    })
    for (const [from, to, number] of events.pool) {
      requests[placeOf[number] ?? -1]?.pool.push([ms(from), to === null ? ms(toUs) : ms(to)])
    }
    const nameIn = namer(samples, root, routeAt)
    const blocks = mergeCallbacks(events.callbacks).map(([from, to, number]) => {
      const request = number === null ? null : placeOf[number]
      const span = /** @type {Span} */ ([ms(from), ms(to)])
      if (request !== null) requests[request].work.push(span)
      const { name, pale } = nameIn(from, to)
      const instead = request === null ? 'Node.js' : requests[request].route
      return { from: span[0], to: span[1], name: name ?? instead, request, pale: pale.map((gap) => spanOf(gap, ms)) }
    })
    const { fullUs } = events
    return { title, blocks, gcs: collections(samples, ms), fullAt: fullUs === null ? null : ms(fullUs) }
  }).filter(({ blocks }) => blocks.length > 0)
    .sort((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }))
  return { ms: ms(toUs), poolSize: threads[0].events.poolSize, threads: shown, requests }
}

/** @param {Span} span @param {(us: number) => number} ms @returns {Span} */
function spanOf ([from, to], ms) {
  return [ms(from), ms(to)]
}

/** A row each; short connections of a route share one. @param {SentRequest[]} flying by time @returns {number[]} */
function lanesOf (flying) {
  /** @type {{ lane: number, until: number, route: string }[]} */
  const rows = []
  /** @type {Map<number, number>} */
  const known = new Map()
  const lastOf = (/** @type {number} */ port) => Math.max(...flying.filter((one) => one.port === port)
    .map(({ receivedUs }) => receivedUs))
  for (const { port, sentUs, path } of flying) {
    if (known.has(port)) continue
    const route = routeOf(path)
    const row = rows.find((one) => one.route === route && one.until < sentUs) ??
      rows[rows.push({ lane: rows.length, until: 0, route }) - 1]
    row.until = lastOf(port)
    known.set(port, row.lane)
  }
  return flying.map(({ port }) => known.get(port) ?? 0)
}

/** Ids would make a route of each request; names such as `v1` are part of it. @param {string} path */
function routeOf (path) {
  const [, first = '', ...rest] = path.replace(/\?.*/, '').split('/')
  return `/${[first, ...rest.map((part) => /^[a-z]\w{0,11}$/.test(part) ? part : '…')].join('/')}`
}

/**
 * A connection has one request in flight, so a request that a server read belongs to the one that its client was
 * waiting for on that connection.
 *
 * @param {LoopEvents} events @param {SentRequest[]} flying @returns {(number | null)[]} places in `flying`
 */
function join ({ requests }, flying) {
  return requests.map(({ port, fromUs }) => {
    const at = flying.findIndex((one) => one.port === port && one.sentUs <= fromUs && fromUs <= one.receivedUs)
    return at < 0 ? null : at
  })
}

/** What follows so closely, for the same request, is one piece of work: a continuation, the next tick. */
const closeUs = 300

/** @param {LoopEvents['callbacks']} callbacks @returns {LoopEvents['callbacks']} in order of time */
function mergeCallbacks (callbacks) {
  /** @type {LoopEvents['callbacks']} */
  const merged = []
  for (const [from, to, request] of callbacks.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && last[2] === request && from - last[1] < closeUs) last[1] = to
    else merged.push([from, to, request])
  }
  return merged
}

/** Without a sample for so long, a thread that has work to do isn't running. */
const goneUs = 4000

/**
 * @param {CpuProfile['samples']} samples @param {Frame} root @param {(place: string) => string | null} [routeAt]
 * @returns {(from: number, to: number) => { name: string | null, pale: Span[] }} what was seen in that time, µs; name:
 *   null where none of the server's own functions was
 */
function namer (samples, root, routeAt) {
  const stackOf = stacksBelow(root)
  /** @type {Map<Frame, string[]>} */
  const names = new Map()
  const namesOf = (/** @type {Frame} */ frame) => {
    const stack = stackOf(frame)
    const own = stack.findLastIndex(({ owner }) => owner === 'yours')
    return own < 0 ? [] : stack.slice(own, own + 2).map((one) => calledName(one, routeAt))
  }
  return (from, to) => {
    /** @type {Map<string, number>} */
    const weights = new Map()
    /** @type {Span[]} */
    const pale = []
    let seenUs = from
    for (let at = samples.findIndex(({ atUs }) => atUs >= from); at >= 0 && at < samples.length; at++) {
      const { frame, atUs, ms } = samples[at]
      if (Math.min(atUs, to) - seenUs > goneUs) pale.push([seenUs, Math.min(atUs, to)])
      seenUs = atUs
      if (atUs >= to) break
      const found = names.get(frame) ?? namesOf(frame)
      names.set(frame, found)
      if (found.length > 0) weights.set(found.join(' › '), (weights.get(found.join(' › ')) ?? 0) + ms)
    }
    const [most] = [...weights].sort((a, b) => b[1] - a[1])
    return { name: most?.[0] ?? null, pale }
  }
}

/** @param {CpuProfile['samples']} samples @param {(us: number) => number} ms @returns {Span[]} */
function collections (samples, ms) {
  /** @type {Span[]} */
  const found = []
  for (const { frame: { owner }, atUs, ms: long } of samples) {
    if (owner !== 'gc') continue
    const [last, from] = [found.at(-1), ms(atUs)]
    if (last && from - last[1] < 0.1) last[1] = from + long
    else found.push([from, from + long])
  }
  return found
}
