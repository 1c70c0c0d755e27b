import http from 'node:http'
import { json } from 'node:stream/consumers'

const { UPSTREAM_URL } = process.env
const TIMEOUT_MS = 1000

const agent = new http.Agent({ maxSockets: 4 })

/** A service did not answer as it should: 404, 500 … or undefined when there was no answer at all. */
export class UpstreamError extends Error {
  constructor (service, { status, timedOut = false, cause } = {}) {
    super(`${service} ${timedOut ? 'did not answer in time' : `failed (${status ?? cause?.message})`}`, { cause })
    Object.assign(this, { service, status, timedOut })
  }
}

export async function ask (service, path, requestId) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const res = await get(`${UPSTREAM_URL}/${service}${path}`, {
      agent,
      signal,
      headers: { 'X-Request-Id': requestId }
    })
    const body = await json(res)
    if (res.statusCode !== 200) throw new UpstreamError(service, { status: res.statusCode })
    return body
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    throw new UpstreamError(service, { timedOut: signal.aborted, cause: error })
  }
}

function get (url, options) {
  return new Promise((resolve, reject) => {
    http.get(url, options, resolve).on('error', reject)
  })
}
