import { isDeepStrictEqual } from 'node:util'
import { inBatches } from '../shared/batches.js'
import { expectOtherTags } from '../shared/conditions.js'
import { alikeUrls } from '../shared/urls.js'
import { readable } from './expects.js'
import { wrongReply } from './replies.js'
import { derived } from './rules.js'
import { writesOf } from './routes.js'

/**
 * Checks that the slow server can't be asked about, as they follow from `tagged`, `encodings`, `anyQuery` and `effect`.
 *
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { ParsedRoute } from './types.js'
 */

/** More than a bounded cache of the usual size holds. */
const manyCount = 1100
/** So often a write comes while a read is being made. */
const overlaps = 4

/** @param {readonly ParsedRoute[]} routes @param {boolean} hasClients on which answers depend @returns {Check[]} */
export function contractOf (routes, hasClients) {
  const [write] = writesOf(routes)
  const tagged = routes.filter(({ tagged, hasParameter }) => tagged && !hasParameter)
  const whole = hasClients ? [] : routes.filter(({ is, meaning, hasParameter }) => is && !meaning && !hasParameter)
  return [
    ...write === undefined ? [] : tagged.map((route) => otherTags(route, write)),
    ...write?.effect === undefined || write.then === undefined ? [] : whole.map((route) => overlapping(route, write)),
    ...tagged.flatMap((route) => (route.encodings ?? []).map((encoding) => otherForms(route, encoding))),
    ...routes.filter(({ anyQuery }) => anyQuery).flatMap((route) =>
      [ownUrl(route), ...write === undefined ? [] : [manyUrls(route, write)]])
  ]
}

/** @param {ParsedRoute} route @param {ParsedRoute} write @returns {Check} */
function otherTags ({ url, encodings = [] }, { method, url: writeUrl, underLoad, then }) {
  return {
    name: derived.tags,
    when: ['before'],
    run: async (given) => {
      const state = given.data
      const draw = () => ({ method, path: writeUrl(), json: underLoad(given.random, { sent: [], state }) })
      for (const headers of [{}, ...encodings.map((name) => ({ 'accept-encoding': name }))]) {
        await expectOtherTags(asking(given, headers), url(), draw, { adds: method === 'POST' && then !== undefined })
      }
    }
  }
}

/**
 * The same, whose servers are asked with further headers.
 *
 * @param {Given} given
 * @param {Record<string, string | undefined>} headers
 */
function asking (given, headers) {
  return {
    ...given,
    another: async () => {
      const server = await given.another()
      /** @type {typeof server.get} */
      const get = (path, more) => server.get(path, { ...more, headers: { ...more?.headers, ...headers } })
      return { ...server, get }
    }
  }
}

/**
 * What was begun before a write, and ends after it, must not be kept for those that ask later.
 *
 * @param {ParsedRoute} route
 * @param {ParsedRoute} write
 * @returns {Check}
 */
function overlapping ({ url, is, encodings = [] }, write) {
  const { method, url: writeUrl, underLoad, then = (state) => state, effect } = write
  const headers = encodings.length > 0 ? { 'accept-encoding': encodings[0] } : {}
  return {
    name: `${effect}, even when it came while another read was in flight`,
    when: ['before'],
    apart: true,
    run: async ({ another, data, random }) => {
      const { get, send } = await another()
      let state = data
      const add = async () => {
        const json = underLoad(random, { sent: [], state })
        state = then(state, json)
        await send({ method, path: writeUrl(), json })
      }
      for (let at = 0; at < overlaps; at++) {
        await add()
        const early = get(url(), { headers })
        await Promise.all([add(), early])
        const answer = await get(url(), { headers })
        const wrong = wrongReply(readable(answer), [is?.(state, url())])
        if (wrong) answer.fail(`after a write that came while ${url()} was being read: ${wrong}`)
      }
    }
  }
}

/** @param {ParsedRoute} route @param {string} encoding @returns {Check} */
function otherForms ({ url }, encoding) {
  return {
    name: derived.forms,
    run: async ({ get, fail }) => {
      const [small, other] = [await get(url(), { headers: { 'accept-encoding': encoding } }), await get(url())]
      const { etag = 'W/' } = small.expectStatus(200).headers
      if (etag.startsWith('W/') || etag !== other.headers.etag) return
      fail(`GET ${url()}: the strong ETag ${etag} stands for ${encoding} and for the plain bytes`)
    }
  }
}

/** @param {ParsedRoute} route @returns {Check} */
function ownUrl ({ url, is }) {
  return {
    name: derived.urls,
    when: ['before'],
    apart: true,
    run: async ({ another, data, random }) => {
      const { get } = await another()
      for (const path of alikeUrls(url(), random)) expectShown(await get(path), is?.(data, path))
    }
  }
}

/** @param {ParsedRoute} route @param {ParsedRoute} write @returns {Check} */
function manyUrls ({ url, is }, { method, url: writeUrl, underLoad, then = (state) => state }) {
  return {
    name: derived.allUrls,
    when: ['before'],
    apart: true,
    run: async ({ another, data, random }) => {
      const { get, send } = await another()
      const json = underLoad(random, { sent: [], state: data })
      const paths = Array.from({ length: manyCount }, (_, page) => `${url()}?page=${page}`)
      await inBatches({ count: manyCount, atOnce: 50 }, (page) => get(paths[page]))
      await send({ method, path: writeUrl(), json })
      for (const path of paths.filter((_, page) => page % 25 === 0)) {
        expectShown(await get(path), is?.(then(data, json), path))
      }
    }
  }
}

/** @param {Answer} answer @param {any} expected an object */
function expectShown (answer, expected) {
  const got = answer.expectStatus(200).json()
  const key = Object.keys(expected).find((one) => !isDeepStrictEqual(got?.[one], expected[one]))
  if (key === undefined) return
  const [wanted, shown] = [expected[key], got?.[key]].map((value) => JSON.stringify(value)?.slice(0, 100))
  answer.fail(`${key} is ${shown} instead of ${wanted}`)
}
