import http from 'node:http'
import { json } from 'node:stream/consumers'

const { UPSTREAM_URL } = process.env
const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo' })

export async function ask (service, path, requestId) {
  const signal = AbortSignal.timeout(1000)
  try {
    const res = await new Promise((resolve, reject) => {
      const headers = { 'X-Request-Id': requestId }
      http.get(`${UPSTREAM_URL}/${service}${path}`, { agent, signal, headers }, resolve).on('error', reject)
    })
    const body = await json(res)
    if (res.statusCode === 200) return body
    throw Object.assign(new Error(`${service} answered ${res.statusCode}`), { service, status: res.statusCode })
  } catch (error) {
    throw Object.assign(error, { service, timedOut: signal.aborted })
  }
}
