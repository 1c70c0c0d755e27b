import { setTimeout as sleep } from 'node:timers/promises'
import { sendInOneGo } from '../../runner/contract/index.js'
import { inBatches } from '../shared/batches.js'
import { alikeUrls, anyUrl } from '../shared/urls.js'
import { clockTolerance, createTags, wrongTime, wrongTimes } from './answers.js'

/** @import { FormContract } from '../form/types.js' */

/** Before each request: a time that is frozen for a while shows in the requests that follow at once. */
const pauses = [0, ...Array(24).fill(1), 2.5 * clockTolerance, 2.5 * clockTolerance]
/** More than a bounded cache of the usual size holds. */
const manyUrls = 1100
/** So many arrive at the same moment, on one connection. */
const pipelined = 12
const soonMs = 5000
/** What JSON and UTF-8 write in another way. */
const delicate = ['"é', '\\é', '\nß']

/** @type {FormContract} */
export const contract = {
  always: {
    'gives two URLs two ETags, however alike they are': async ({ get, random, fail }) => {
      const wrongTag = createTags()
      for (const path of alikeUrls('/seed/v1', random)) {
        const { url } = (await get(path)).expectStatus(200).json()
        if (url !== path) fail(`GET ${path}: url is ${url}`)
        const { etag } = (await get(path)).expectStatus(200).headers
        const wrong = etag === undefined ? 'answered for the second time, without an ETag' : wrongTag(path, etag)
        if (wrong) fail(`GET ${path}: ${wrong}`)
      }
    },
    'says in ts when the answer was made, in milliseconds': async ({ get, random, fail }) => {
      const path = anyUrl('/seed/v1', random)
      let wrong = 0
      for (const pauseMs of pauses) {
        await sleep(pauseMs)
        const sent = Date.now()
        const { ts } = (await get(path)).expectStatus(200).json()
        const problem = wrongTime(ts, sent, Date.now())
        if (problem && ++wrong >= wrongTimes) fail(`GET ${path}: ${problem}`)
      }
    }
  },
  before: {
    'keeps the ETag of a URL, however many others are requested': async ({ another, isBaseline, fail }) => {
      // The leak would make it take seconds there.
      if (isBaseline) return
      const server = await another()
      const tagOf = async (page = 0) => (await server.get(`/seed/v1?page=${page}`)).expectStatus(200).headers.etag
      await tagOf()
      const tag = await tagOf()
      await inBatches({ count: manyUrls, atOnce: 50 }, (index, agent) =>
        server.get(`/seed/v1?page=${index + 1}`, { agent }))
      const after = await tagOf()
      if (after !== tag) fail(`GET /seed/v1?page=0, after ${manyUrls} other URLs: the ETag ${tag} became ${after}`)
      if (await tagOf(manyUrls) === undefined) fail(`the last of ${manyUrls} URLs, requested again, has no ETag`)
    },
    'gives each URL its ETag, even when many are requested in one go': async (given) => {
      const { get, origin, random, within, fail } = given
      const paths = Array.from({ length: pipelined }, (_, at) => `/seed/v1?${random.word(5)}=${at}`)
      await sendInOneGo(origin, paths.map((path) => ({ path })), await within(soonMs))
      const wrongTag = createTags()
      for (const path of paths) {
        const { etag } = (await get(path)).expectStatus(200).headers
        const wrong = etag === undefined ? 'no ETag' : wrongTag(path, etag)
        if (wrong) fail(`GET ${path}, for the second time, after ${pipelined} URLs in one go: ${wrong}`)
      }
    },
    'gives a URL another ETag when the data is different, and else the same': async (given) => {
      const { another, data: { seed }, random, fail } = given
      const path = anyUrl('/seed/v1', random)
      // One digit in the middle: nothing else of the file changes.
      const at = Math.floor(seed.data.length * (0.3 + 0.4 * random.next()))
      const around = [seed.data.slice(0, at), `${random.pick(delicate)}${seed.data.slice(at)}`]
      // The last one is the first one's data in a file that's written in another way.
      const [before, after, again] = await Promise.all(['0', '1', '0'].map(async (digit, nth) => {
        const data = around.join(digit)
        const server = await another({ files: { 'seed.json': JSON.stringify({ data }, null, nth) } })
        const { data: shown } = (await server.get(path)).expectStatus(200).json()
        if (shown !== data) fail(`GET ${path}: its data isn’t that in seed.json, which has ${data.slice(at, at + 3)}`)
        return (await server.get(path)).expectStatus(200).headers.etag
      }))
      const got = before === undefined ? 'no ETag' : `the same ETag, ${before}`
      if (before === after) fail(`GET ${path}: different data got ${got}`)
      if (before !== again) fail(`GET ${path}: after a restart on the same data, the ETag ${before} became ${again}`)
    }
  }
}
