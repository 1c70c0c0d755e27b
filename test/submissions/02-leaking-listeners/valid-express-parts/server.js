import http from 'node:http'
import { router } from './routes.js'
import { sendError } from './send.js'

http.createServer((req, res) => {
  router(req, res, (error) => {
    if (error) return sendError(res, error.status ?? 500, 'InternalError', error.message)
    sendError(res, 404, 'ResourceNotFound', `${req.url} does not exist`)
  })
}).listen(Number(process.env.PORT), process.env.HOST)
