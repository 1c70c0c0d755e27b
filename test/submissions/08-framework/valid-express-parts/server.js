import http from 'node:http'
import { corsHeaders, preflight } from './cors.js'
import { failure } from './failure.js'
import { chooseLanguage } from './languages.js'
import { exchange } from './exchange.js'
import { router } from './routes.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

// Express without Express: its router and the parts that it is made of, each asked only where it is needed.
http.createServer((req, res) => {
  const it = exchange(req, res, { language: chooseLanguage(req), cors: corsHeaders(req.headers.origin) })
  if (req.method === 'OPTIONS') return it.send(204, undefined, preflight)
  router(Object.assign(req, { it }), res, (error) => it.fail(error ?? failure(404, 'route_not_found')))
}).listen(Number(PORT), HOST)
