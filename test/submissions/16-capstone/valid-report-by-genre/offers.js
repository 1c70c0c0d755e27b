import http from 'node:http'
import { json } from 'node:stream/consumers'

const { UPSTREAM_URL } = process.env
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 })

export class UpstreamError extends Error {
  constructor (service) {
    super(`${service} failed`)
    this.service = service
  }
}

/** What a film costs and how many there are: both change all the time. */
export async function offerFor (film) {
  const [{ price }, { stock }] = await Promise.all([ask('prices', film), ask('stock', film)])
  return { price, stock }
}

function ask (service, film) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new UpstreamError(service))
    http.get(`${UPSTREAM_URL}/${service}/${film}`, { agent }, (res) => {
      if (res.statusCode === 200) return json(res).then(resolve, fail)
      res.resume()
      fail()
    }).on('error', fail)
  })
}
