import { isDeepStrictEqual } from 'node:util'
import { inBatches, leaveWithin, onKeptConnections } from '../shared/batches.js'
import { differInOneLetter } from '../shared/changes.js'
import { expectOtherTags } from '../shared/conditions.js'
import { alikeUrls } from '../shared/urls.js'
import { anyValue, changing, shownOf } from './concerning.js'
import { readable } from './expects.js'
import { wrongReply } from './replies.js'
import { derived } from './rules.js'
import { writesOf } from './routes.js'

/**
 * Checks that the slow server can't decide, as they follow from `tagged`, `encodings`, `compressedTo`,
 * `anyQuery` and `effect`.
 *
 * @import { Answer, Given, Request } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { Change } from './concerning.js'
 * @import { Clients, ParsedRoute } from './types.js'
 *
 * @typedef {(data: any) => Record<string, string>} Files in DATA_DIR, by name
 */

/** More than a bounded cache of the usual size holds. */
const manyCount = 1100
/** Writes that are seen at once, one after the other: more than every so many-th that a careless server misses, … */
const inTurn = 30
/** … and those that come during a read. */
const overlaps = 4
/** Writes at the same moment, … */
const crowd = 50
/** … so often that there are more of them than a server has set aside room for. */
const crowds = 6
/** What one of them has brought is read, so often. */
const looks = 8
/** Clients that leave in the middle of what they send, and how long after its first half. */
const [leavers, leaveMs] = [4, 60]

/**
 * @param {readonly ParsedRoute[]} all
 * @param {{ clients?: Clients, files: Files }} lesson clients: answers depend on them
 * @returns {Check[]}
 */
export function contractOf (all, { clients, files }) {
  // A route's content then depends on the client.
  const routes = clients ? all.map((route) => ({ ...route, is: undefined })) : all
  const [write] = writesOf(routes)
  const isShown = (/** @type {ParsedRoute} */ { name, is, ways = {} }) =>
    is && (write?.touches?.some((touched) => touched === name || touched in ways) ?? true)
  const tagged = routes.filter((route) => route.tagged && (!route.hasParameter || isShown(route)))
  const shown = all.filter((route) => (clients || !route.meaning) && isShown(route))
  return together([
    ...write === undefined ? [] : tagged.map((route) => otherTags(route, write, files)),
    ...write?.effect === undefined || write.then === undefined
      ? []
      : shown.map((route, at) => overlapping(route, write, { clients, crowded: at === 0 ? shown : [] })),
    ...routes.filter(({ tagged, encodings }) => tagged && encodings).map(otherForms),
    ...routes.filter(({ compressedTo }) => compressedTo).map(compressed),
    ...routes.filter(({ anyQuery, is }) => anyQuery && is).flatMap((route) =>
      [ownUrl(route), ...write === undefined ? [] : [manyUrls(route, write)]])
  ])
}

/** One check for each rule, of all routes that it holds for. @param {Check[]} checks @returns {Check[]} */
function together (checks) {
  const names = [...new Set(checks.map(({ name }) => name))]
  return names.map((rule) => {
    const alike = checks.filter(({ name }) => name === rule)
    return { ...alike[0], run: async (given) => { for (const { run } of alike) await run(given) } }
  })
}

/** @param {ParsedRoute} route @param {ParsedRoute} write @param {Files} files @returns {Check} */
function otherTags (route, write, files) {
  const { url, is, encodings = [], hasParameter } = route
  const { method, url: writeUrl, underLoad, then } = write
  return {
    name: derived.tags,
    when: ['before'],
    apart: true,
    run: async (given) => {
      const { random, data: state } = given
      const first = hasParameter ? changing(route, write, { random, state }) : null
      if (hasParameter && first === null) return
      const path = url(first?.value)
      const draw = () => {
        const json = first && changing(route, write, { random, state }, first.value)?.json
        return { method, path: writeUrl(), json: json ?? underLoad(random, { sent: [], state }) }
      }
      const contentAfter = is && then && ((/** @type {any[]} */ sent) =>
        JSON.stringify(shownOf(route, sent.reduce((state, json) => then(state, json), state), first?.value)))
      const forms = [{}, ...encodings.map((name) => ({ 'accept-encoding': name }))]
      const adds = method === 'POST' && then !== undefined
      await expectOtherTags(given, path, draw, { forms, adds, contentAfter })
      if (!hasParameter && is) await expectTagsOfData(route, files, given)
    }
  }
}

/**
 * Data that was changed while the server was down, by one letter anywhere.
 *
 * @param {ParsedRoute} route @param {Files} files @param {Given} given
 */
async function expectTagsOfData ({ url, is }, files, { another, data, random, fail }) {
  const [one, other] = differInOneLetter(data, random)
  if (isDeepStrictEqual(is?.(one, url()), is?.(other, url()))) return
  const tags = await Promise.all([one, other].map(async (changed) =>
    (await (await another({ files: files(changed) })).get(url())).expectStatus(200).headers.etag))
  if (tags[0] && tags[0] === tags[1]) fail(`GET ${url()}: started with other data, it has the same ETag, ${tags[0]}`)
}

/**
 * A server of its own, as one client sees it, where answers depend on clients.
 *
 * @template {ParsedRoute} R
 * @param {Given} given
 * @param {readonly R[]} routes
 * @param {Clients} [clients]
 */
async function forOne ({ another, data, random }, routes, clients) {
  const server = await another()
  if (clients === undefined) return { ...server, routes }
  const client = clients.draw({ random, data })
  /** @type {typeof server.send} */
  const send = (request) => server.send(clients.sends(request, client, random))
  return {
    send,
    /** @type {typeof server.get} */
    get: (path, more) => send({ path, ...more }),
    routes: routes.map((route) => ({
      ...route,
      is: route.is && ((/** @type {any} */ state, /** @type {any} */ value) => route.is?.(state, value, client)),
      answers: route.answers && ((/** @type {any} */ state, /** @type {any} */ sent) =>
        route.answers?.(state, sent, client))
    }))
  }
}

/**
 * Many writes, at the same moment or the same ones: each counts, and is answered for itself.
 *
 * @param {ParsedRoute} write
 * @param {readonly ParsedRoute[]} reads
 * @param {Pick<Given, 'get' | 'send' | 'random'> & { state: any }} given
 */
async function writeInCrowds (write, reads, { get, send, random, state: first }) {
  const [method, path] = [write.method, write.url()]
  let [state, about] = [first, undefined]
  if (!tellsOrder(write, { random, state })) return
  await onKeptConnections(async (agent) => {
    for (let at = 0; at < crowds; at++) {
      const sent = Array.from({ length: crowd - 1 }, () => write.underLoad(random, { sent: [], state }))
      /** @type {{ json: any, answer: Answer }[]} by when they came, which is mostly their order */
      const answered = []
      // Uploads in parts overlap, and whole ones come at the same moment.
      const chunked = at % 2 === 0
      await Promise.all([...sent, sent[0]].map(async (json) => {
        answered.push({ json, answer: await send({ method, path, json, chunked, agent }) })
      }))
      ;({ state, json: about } = inAnyOrder(write, state, answered))
    }
  })
  for (const route of reads) {
    for (let look = 0; look < (route.hasParameter ? looks : 1); look++) {
      const { near = anyValue.bind(null, route) } = route
      const value = route.hasParameter ? near({ random, state, after: write.name, about }) : ''
      const answer = await get(route.url(value))
      const wrong = wrongReply(readable(answer), [shownOf(route, state, value)])
      if (wrong) answer.fail(`after ${crowds * crowd} writes, ${crowd} at the same moment: ${wrong}`)
    }
  }
}

/** Is a write answered in another way after another one? @param {ParsedRoute} write @param {any} given */
function tellsOrder ({ underLoad, then = (state) => state, answers }, { random, state }) {
  const [json, other] = [0, 1].map(() => underLoad(random, { sent: [], state }))
  const [first, second] = [state, then(state, other)].map((before) => answers?.(then(before, json), json))
  return !isDeepStrictEqual(first, second)
}

/**
 * @param {ParsedRoute} write
 * @param {any} state
 * @param {{ json: any, answer: Answer }[]} answered
 * @returns {{ state: any, json: any }} after all of them, in the order that their answers tell, and the last one
 */
function inAnyOrder ({ then = (state) => state, answers, status = 201 }, state, answered) {
  const wrongOf = (/** @type {any} */ before, /** @type {typeof answered[number]} */ { json, answer }) =>
    wrongReply(readable(answer), [answers?.(then(before, json), json)], { status })
  const [left, done] = [[...answered], { state, json: undefined }]
  while (left.length > 0) {
    const next = left.findIndex((one) => wrongOf(done.state, one) === undefined)
    if (next === -1) left[0].answer.fail(`at the same moment as ${crowd - 1} others: ${wrongOf(done.state, left[0])}`)
    const [{ json }] = left.splice(next, 1)
    Object.assign(done, { json, state: then(done.state, json) })
  }
  return done
}

/**
 * A response started before a write and finished after it must not be kept for later requests.
 *
 * @param {ParsedRoute} route
 * @param {ParsedRoute} write
 * @param {{ clients?: Clients, crowded: readonly ParsedRoute[] }} more crowded: what is read after many more writes
 * @returns {Check}
 */
function overlapping (route, write, { clients, crowded }) {
  return {
    name: `${write.effect}, even when it came while another read was in flight`,
    when: ['before'],
    apart: true,
    run: async (given) => {
      const { data, random } = given
      const { get, send, routes: [read, sent, ...reads] } = await forOne(given, [route, write, ...crowded], clients)
      const { url, encodings = [] } = read
      const headers = encodings.length > 0 ? { 'accept-encoding': encodings[0] } : {}
      let state = data
      // Where no text speaks of a body that isn't JSON, it says nothing of half a body either.
      await leaveWithin({ send }, { count: write.broken === false ? 0 : leavers, leaveMs }, () =>
        ({ method: write.method, path: write.url(), json: { unfinished: random.word(50) } }))
      /** @param {Change} change @param {Request['between']} [between] halves of its body */
      const add = async ({ json, after }, between) => {
        state = after
        await send({ method: write.method, path: write.url(), json, chunked: between !== undefined, between })
      }
      const expectSeen = async (/** @type {any} */ value, /** @type {string} */ when) => {
        const answer = await get(url(value), { headers })
        const wrong = wrongReply(readable(answer), [shownOf(read, state, value)])
        if (wrong) answer.fail(`${when}: ${wrong}`)
      }
      for (let at = 1; at <= inTurn; at++) {
        const change = changing(read, write, { random, state })
        if (change === null) return
        // What's kept from before its body was whole is old as soon as it's answered.
        await add(change, at % 3 === 0 ? () => get(url(change.value), { headers }) : undefined)
        await expectSeen(change.value, `right after write ${at} of one client`)
      }
      for (let at = 0; at < overlaps; at++) {
        const first = changing(read, write, { random, state })
        if (first === null) return
        await add(first)
        // What is there once may not change again: then one that is not there yet.
        const last = changing(read, write, { random, state }, first.value) ?? changing(read, write, { random, state })
        if (last === null) return
        const path = url(last.value)
        const early = get(path, { headers })
        await Promise.all([add(last), early])
        await expectSeen(last.value, `after a write that came while ${path} was being read`)
      }
      if (reads.length > 0) await writeInCrowds(sent, reads, { get, send, random, state })
    }
  }
}

/** @param {ParsedRoute} route @returns {Check} */
function otherForms (route) {
  const { encodings = [] } = route
  return {
    name: derived.forms,
    run: async ({ get, fail, random, data }) => {
      const path = route.url(anyValue(route, { random, state: data }))
      /** @type {Map<string, string>} */
      const stoodFor = new Map()
      for (const accepted of ['identity', ...encodings]) {
        const { headers } = (await get(path, { headers: { 'accept-encoding': accepted } })).expectStatus(200)
        const { etag = 'W/', 'content-encoding': sent = 'identity' } = headers
        const other = stoodFor.get(etag) ?? sent
        if (!etag.startsWith('W/') && other !== sent) {
          fail(`GET ${path}: the strong ETag ${etag} came with ${other} bytes and with ${sent} bytes`)
        }
        stoodFor.set(etag, sent)
      }
    }
  }
}

/** @param {ParsedRoute} route @returns {Check} */
function compressed (route) {
  const { encodings = [], compressedTo = 1 } = route
  return {
    name: derived.compressed,
    run: async ({ get, random, data }) => {
      const path = route.url(anyValue(route, { random, state: data }))
      for (const accepted of encodings) {
        const answer = (await get(path, { headers: { 'accept-encoding': accepted } })).expectStatus(200)
        const { 'content-encoding': sent = 'identity' } = answer.headers
        if (sent !== accepted) answer.fail(`Content-Encoding is ${sent} for a client that accepts only ${accepted}`)
        const whole = Buffer.byteLength(readable(answer).text())
        if (answer.body.length <= whole * compressedTo) continue
        answer.fail(`${accepted} makes ${answer.body.length} bytes of ${whole}, more than ${compressedTo} of them`)
      }
    }
  }
}

/** @param {ParsedRoute} route @returns {Check} */
function ownUrl (route) {
  return {
    name: derived.urls,
    when: ['before'],
    apart: true,
    run: async ({ another, data, random }) => {
      const { get } = await another()
      for (const headers of formsOf(route)) {
        for (const path of alikeUrls(route.url(), random)) expectShown(await get(path, { headers }), route, data, path)
      }
    }
  }
}

/** @param {ParsedRoute} route @param {ParsedRoute} write @returns {Check} */
function manyUrls (route, { method, url: writeUrl, underLoad, then = (state) => state }) {
  return {
    name: derived.allUrls,
    when: ['before'],
    apart: true,
    run: async ({ another, data, random }) => {
      const { get, send } = await another()
      const [headers] = formsOf(route)
      const json = underLoad(random, { sent: [], state: data })
      // A parameter that no text gives a meaning.
      const name = random.word(8)
      const path = route.url(route.good?.({ random, state: data }))
      const start = `${path}${path.includes('?') ? '&' : '?'}${name}=`
      const paths = Array.from({ length: manyCount }, (_, at) => `${start}${at}`)
      await inBatches({ count: manyCount, atOnce: 50 }, (at, agent) => get(paths[at], { headers, agent }))
      await send({ method, path: writeUrl(), json })
      for (const path of paths.filter((_, at) => at % 25 === 0)) {
        expectShown(await get(path, { headers }), route, then(data, json), path)
      }
    }
  }
}

/** Headers, by the form of the content that they want. @param {ParsedRoute} route */
function formsOf ({ encodings = ['identity'] }) {
  return encodings.map((name) => name === 'identity' ? {} : { 'accept-encoding': name })
}

/** @param {Answer} answer @param {ParsedRoute} route @param {any} state @param {string} path */
function expectShown (answer, { is, meaning }, state, path) {
  const wrong = wrongReply(readable(answer), [is?.(state, path)], { meaning })
  if (wrong) answer.fail(wrong)
}
