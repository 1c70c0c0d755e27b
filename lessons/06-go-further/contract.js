import { isDeepStrictEqual } from 'node:util'
import { inBatches } from '../shared/batches.js'
import { expectOtherTags } from '../shared/conditions.js'
import { alikeUrls } from '../shared/urls.js'
import { anyData } from './content.js'

/** @import { Check } from '../../runner/lesson/index.js' */

const path = '/seed/v1'
/** More than a bounded cache of the usual size holds. */
const manyUrls = 1100

/** @type {Check[]} */
export const contract = [
  {
    name: 'never gives two contents the same ETag, also when it was started anew',
    when: ['before'],
    run: (given) => expectOtherTags(given, path, () => {
      return { method: 'PUT', path, json: { data: anyData(given.random) } }
    })
  },
  {
    name: 'never gives two texts of a URL the same ETag',
    when: ['before'],
    run: async ({ get, send, random, fail }) => {
      const entries = Object.entries(anyData(random))
      const put = async (/** @type {[string, unknown][]} */ some) => {
        await send({ method: 'PUT', path, json: { data: Object.fromEntries(some) } })
        return (await get(path)).expectStatus(200)
      }
      const [one, other] = [await put(entries), await put(entries.toReversed())]
      if (one.headers.etag === other.headers.etag && one.text !== other.text) {
        fail(`PUT ${path} with the keys in another order: the body changed, and the ETag ${one.headers.etag} did not`)
      }
    }
  },
  {
    name: 'takes content as it is, in however many parts it comes',
    when: ['before'],
    run: async ({ get, send, random, fail }) => {
      const text = `${random.word(6)} Żółty 東京 🎬`
      ;(await send({ method: 'PUT', path, json: { data: { text } }, chunked: true })).expectStatus(204)
      const { data } = (await get(path)).expectStatus(200).json()
      if (!isDeepStrictEqual(data, { text })) {
        fail(`PUT ${path}, in two parts: {"text":"${text}"} became ${JSON.stringify(data).slice(0, 200)}`)
      }
    }
  },
  {
    name: 'answers each URL with itself, however alike they are',
    when: ['before'],
    run: async ({ get, random, fail }) => {
      for (const alike of alikeUrls(path, random)) {
        const { url } = (await get(alike)).expectStatus(200).json()
        if (url !== alike) fail(`GET ${alike}: url is ${url}`)
      }
    }
  },
  {
    name: 'shows new content under every URL, however many were asked for',
    when: ['before'],
    run: async ({ get, send, fail }) => {
      const put = (/** @type {string} */ text) => send({ method: 'PUT', path, json: { data: { text } } })
      const urls = Array.from({ length: manyUrls }, (_, page) => `${path}?page=${page}`)
      await put('old')
      await inBatches({ count: manyUrls, atOnce: 50 }, (page) => get(urls[page]))
      await put('new')
      for (const url of urls.filter((_, page) => page % 25 === 0)) {
        const { data } = (await get(url)).expectStatus(200).json()
        if (data.text !== 'new') fail(`GET ${url}, one of ${manyUrls}, after a PUT: it still shows the old content`)
      }
    }
  }
]
