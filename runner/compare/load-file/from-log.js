/** @import { Gathering } from './gather.js' */

/** As web servers, proxies and loggers for Node.js call them. */
const methods = ['method', 'req.method', 'request.method', 'request_method', 'RequestMethod', 'http.request.method',
  'httpRequest.requestMethod']
const paths = ['url', 'req.url', 'request.uri', 'request.url', 'originalUrl', 'path', 'uri', 'request_uri',
  'RequestPath', 'url.original', 'httpRequest.requestUrl']
const statuses = ['status', 'statusCode', 'res.statusCode', 'res.status', 'response.status', 'DownstreamStatus',
  'http.response.status_code', 'httpRequest.status']

/**
 * One line of an access log: the common or the combined format, or JSON. Pure but for the gathering.
 *
 * @param {string} line
 * @param {Gathering} gathering
 */
export function gatherLine (line, { add, leaveOut }) {
  if (line.trim() === '') return
  const { method, path, status } = readLine(line) ?? {}
  if (method === undefined || path === undefined) return leaveOut('whose lines have no known format')
  if (Number(status) >= 400) return leaveOut('that were answered with an error')
  if (method !== 'GET') return leaveOut('other than GET, whose bodies no log holds')
  add({ path })
}

/** @param {string} line @returns {{ method?: string, path?: string, status?: unknown } | undefined} */
function readLine (line) {
  if (!line.startsWith('{')) return ofText(line)
  try {
    const record = JSON.parse(line)
    const { method, path } = ofText(`"${record.request}" 0`) ?? {}
    return {
      method: method ?? first(record, methods)?.toUpperCase(),
      path: path ?? first(record, paths),
      status: first(record, statuses)
    }
  } catch {
    return undefined
  }
}

/** @param {string} text */
function ofText (text) {
  const [, method, path, status] = /"([A-Z]+) (\S+) HTTP\/[\d.]+" (\d+)/.exec(text) ?? []
  return method === undefined ? undefined : { method, path, status }
}

/** @param {any} record @param {string[]} places @returns {string | undefined} */
function first (record, places) {
  for (const place of places) {
    const value = record[place] ?? place.split('.').reduce((inside, key) => inside?.[key], record)
    if (typeof value === 'string' || typeof value === 'number') return String(value)
  }
}
