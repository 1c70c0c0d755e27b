// The slow server, trimmed: every middleware cheaper, on its route, or done once at the start.
import express from 'express'
import { config, messages } from './data.js'
import { accessLog } from './middleware/access-log.js'
import { cors } from './middleware/cors.js'
import { errors, notFound } from './middleware/errors.js'
import { locale } from './middleware/locale.js'
import { requestId } from './middleware/request-id.js'
import { responseTime } from './middleware/response-time.js'
import { securityHeaders } from './middleware/security-headers.js'
import { items } from './routes/items.js'
import { me } from './routes/me.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.set('query parser', 'extended')

// Every answer needs these, errors and preflights too.
app.use(responseTime())
app.use(requestId())
if (accessLog.enabled) app.use(accessLog())
app.use(locale(Object.keys(messages)))
app.use(securityHeaders())
app.use(cors(config.allowedOrigins))

// Bodies, sessions and queries are the business of the routes that read them.
app.use('/items', items)
app.use('/me', me)

app.use(notFound())
app.use(errors())

app.listen(Number(PORT), HOST)
