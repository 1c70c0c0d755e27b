import { isObject, itemsOf } from '../../rules.js'

/** @import { Gathering } from './gather.js' */

/** What says who sends it stays where it is. */
const copied = ['accept', 'accept-language', 'content-type']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The requests of a HAR file, as browsers export it, to the origin that most of them went to. Pure but for the
 * gathering.
 *
 * @param {any} har
 * @param {Gathering} gathering
 */
export function gatherHar (har, { add, leaveOut }) {
  const entries = itemsOf(har?.log?.entries)
    .filter((entry) => isObject(entry?.request) && URL.canParse(entry.request.url))
  const origins = entries.map(({ request }) => new URL(request.url).origin)
  const [main] = mostFrequent(origins)
  entries.forEach(({ request, response }, i) => {
    const { pathname, search } = new URL(request.url)
    const status = Number(response?.status)
    if (origins[i] !== main) return leaveOut(`to other origins than ${main}`)
    if (!(status > 0 && status < 400)) return leaveOut('that were answered with an error, or not at all')
    if (!methods.includes(request.method)) return leaveOut(`other than ${methods.join(', ')}`)
    const headers = itemsOf(request.headers)
      .filter((header) => copied.includes(String(header?.name).toLowerCase()))
      .map(({ name, value }) => [name.toLowerCase(), String(value)])
    add({
      ...request.method === 'GET' ? {} : { method: request.method },
      path: pathname + search,
      ...headers.length > 0 && { headers: Object.fromEntries(headers) },
      ...typeof request.postData?.text === 'string' && { body: bodyOf(request.postData) }
    })
  })
}

/** @param {{ text: string, mimeType?: string }} postData @returns {unknown} JSON as its value */
function bodyOf ({ text, mimeType = '' }) {
  try {
    const value = JSON.parse(text)
    return /json/i.test(mimeType) && typeof value === 'object' ? value : text
  } catch {
    return text
  }
}

/** @param {string[]} names @returns {string[]} the most frequent first */
function mostFrequent (names) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
}
