import http from 'node:http'

const { hostname, port, pathname } = new URL(process.env.UPSTREAM_URL ?? 'http://127.0.0.1')
const prefix = pathname.replace(/\/$/, '')
const TIMEOUT_MS = 1000

// Six calls a page, at most four of them at the same time: enough for sixty busy visitors, and still a bound.
const agent = new http.Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64, scheduling: 'lifo' })

/** A service did not answer as it should: 404, 500 … or undefined when there was no answer at all. */
export class UpstreamError extends Error {
  constructor (service, { status, timedOut = false, cause } = {}) {
    super(`${service} ${timedOut ? 'did not answer in time' : `failed (${status ?? cause?.message})`}`, { cause })
    Object.assign(this, { service, status, timedOut })
  }
}

/**
 * One call. Its second begins here and ends with the last byte of the answer. The signal ends it early, when the page
 * has failed and nobody needs the answer.
 */
export function ask (service, path, requestId, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new UpstreamError(service, { cause: signal.reason }))
    let isOver = false
    const req = http.request({
      agent, hostname, port, path: `${prefix}/${service}${path}`, headers: { 'X-Request-Id': requestId }
    })
    const timer = setTimeout(() => fail({ timedOut: true }), TIMEOUT_MS)
    const abandon = () => fail({ cause: new Error('the page has failed') })
    signal.addEventListener('abort', abandon)

    req.on('error', (cause) => fail({ cause }))
    req.on('response', (res) => {
      const chunks = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('error', (cause) => fail({ cause }))
      res.on('close', () => { if (!res.complete) fail({ cause: new Error('cut short') }) })
      res.on('end', () => {
        if (!res.complete) return fail({ cause: new Error('cut short') })
        if (res.statusCode !== 200) return fail({ status: res.statusCode })
        try {
          const body = JSON.parse(Buffer.concat(chunks).toString())
          if (finish()) resolve(body)
        } catch (cause) {
          fail({ cause })
        }
      })
    })
    req.end()

    function finish () {
      if (isOver) return false
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abandon)
      return true
    }

    function fail (why) {
      if (!finish()) return
      if (why.status === undefined) req.destroy()
      reject(new UpstreamError(service, why))
    }
  })
}
