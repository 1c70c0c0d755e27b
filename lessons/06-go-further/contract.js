import { isDeepStrictEqual } from 'node:util'
import { anyContent } from './content.js'

/** @import { Given } from '../../runner/contract/index.js' */

const path = '/seed/v1'

/** @param {Given} given */
export async function tellsOrders ({ get, send, random, fail }) {
  const entries = Object.entries(anyContent(random))
  const put = async (/** @type {[string, unknown][]} */ some) => {
    await send({ method: 'PUT', path, json: { data: Object.fromEntries(some) } })
    return (await get(path)).expectStatus(200)
  }
  const [one, other] = [await put(entries), await put(entries.toReversed())]
  if (one.headers.etag === other.headers.etag && one.text !== other.text) {
    fail(`PUT ${path} with the keys in another order: the body changed, and the ETag ${one.headers.etag} did not`)
  }
}

/** @param {Given} given */
export async function takesParts ({ get, send, random, fail }) {
  const text = `${random.word(6)} Żółty 東京 🎬`
  ;(await send({ method: 'PUT', path, json: { data: { text } }, chunked: true })).expectStatus(204)
  const { data } = (await get(path)).expectStatus(200).json()
  if (!isDeepStrictEqual(data, { text })) {
    fail(`PUT ${path}, in two parts: {"text":"${text}"} became ${JSON.stringify(data).slice(0, 200)}`)
  }
}
