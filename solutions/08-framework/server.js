import express from 'express'
import { config } from './data.js'
import { cors } from './http/cors.js'
import { errors, failure } from './http/errors.js'
import { locale } from './http/locale.js'
import { requestId } from './http/request-id.js'
import { responseTime } from './http/response-time.js'
import { securityHeaders } from './http/security-headers.js'
import { items } from './routes/items.js'
import { me } from './routes/me.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.disable('query parser')

// Every response carries what these five set, even an error or a preflight's 204. The rest is mounted where it's read.
app.use((req, res, next) => {
  responseTime(res)
  requestId(req, res)
  locale(req, res)
  securityHeaders(res)
  if (cors(req, res, config.allowedOrigins)) next()
})

app.use('/items', items)
app.use('/me', me)

app.use((req, res, next) => next(failure(404, 'route_not_found')))
app.use(errors)

app.listen(Number(PORT), HOST)
