import http from 'node:http'

/**
 * Answers with what the server answered before on the same route, instead of asking the server.
 *
 * @param {(req: http.IncomingMessage) => boolean} noticed is this the moment?
 */
export function cheatWhen (noticed) {
  /** @type {Map<string, { status: number, headers: any, body: Buffer }>} */
  const recorded = new Map()
  const emit = http.Server.prototype.emit
  http.Server.prototype.emit = function (name, ...rest) {
    const [req, res] = rest
    if (name !== 'request') return Reflect.apply(emit, this, [name, ...rest])
    const route = `${req.method} ${req.url.split('?')[0]}`
    const old = recorded.get(route)
    if (noticed(req) && old) {
      req.resume()
      res.writeHead(old.status, { ...old.headers, 'content-length': old.body.length }).end(old.body)
      return true
    }
    record(res, (answer) => recorded.set(route, answer))
    return Reflect.apply(emit, this, [name, ...rest])
  }
}

/** @param {any} res @param {(answer: { status: number, headers: any, body: Buffer }) => void} done */
function record (res, done) {
  /** @type {Buffer[]} */
  const chunks = []
  let named = {}
  const { writeHead, write, end } = res
  res.writeHead = (/** @type {any[]} */ ...given) => {
    const last = given.at(-1)
    if (Array.isArray(last)) {
      for (let i = 0; i < last.length; i += 2) named = { ...named, [String(last[i]).toLowerCase()]: last[i + 1] }
    } else if (typeof last === 'object') {
      for (const key of Object.keys(last)) named = { ...named, [key.toLowerCase()]: last[key] }
    }
    return writeHead.apply(res, given)
  }
  const keep = (/** @type {any} */ chunk, /** @type {any} */ encoding) => {
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? /** @type {any} */ (encoding) : 'utf8'))
    } else if (chunk instanceof Uint8Array) {
      chunks.push(Buffer.from(chunk))
    }
  }
  res.write = (/** @type {any[]} */ ...given) => {
    keep(given[0], given[1])
    return write.apply(res, given)
  }
  res.end = (/** @type {any[]} */ ...given) => {
    keep(given[0], given[1])
    return end.apply(res, given)
  }
  res.on('finish', () => {
    const headers = { ...res.getHeaders(), ...named }
    for (const name of ['transfer-encoding', 'date', 'connection', 'keep-alive']) delete headers[name]
    done({ status: res.statusCode, headers, body: Buffer.concat(chunks) })
  })
}
