import { METHODS } from 'node:http'
import { json } from 'node:stream/consumers'
import findMyWay from 'find-my-way'
import fresh from 'fresh'

export function createRouter (content) {
  const router = findMyWay({
    defaultRoute: (req, res) => refuse(res, 404, 'ResourceNotFound', `${req.url} does not exist`)
  })

  router.get('/seed/v1', (req, res) => {
    const headers = { etag: content.tagOf(req.url), 'cache-control': 'public, no-cache' }
    if (fresh(req.headers, headers)) return res.writeHead(304, headers).end()
    send(res, 200, content.bodyOf(req.url), headers)
  })

  router.put('/seed/v1', async (req, res) => {
    try {
      const { data } = await json(req)
      if (typeof data !== 'object' || data === null || Array.isArray(data)) {
        throw new TypeError('`data` has to be an object')
      }
      content.put(data)
    } catch (error) {
      return refuse(res, 400, 'InvalidContent', error.message)
    }
    res.writeHead(204).end()
  })

  router.on(METHODS.filter((method) => method !== 'GET' && method !== 'PUT'), '/seed/v1', (req, res) =>
    refuse(res, 405, 'MethodNotAllowed', `${req.method} is not allowed`, { allow: 'GET, PUT' }))
  return router
}

function send (res, status, body, headers) {
  res.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body)
  }).end(body)
}

function refuse (res, status, code, message, headers) {
  send(res, status, JSON.stringify({ code, message }), headers)
}
