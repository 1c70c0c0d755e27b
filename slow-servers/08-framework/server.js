import express from 'express'
import { config, flags, messages } from './data.js'
import { accessLog } from './middleware/access-log.js'
import { cookies } from './middleware/cookies.js'
import { cors } from './middleware/cors.js'
import { errors, notFound } from './middleware/errors.js'
import { featureFlags } from './middleware/feature-flags.js'
import { locale } from './middleware/locale.js'
import { locals } from './middleware/locals.js'
import { requestId } from './middleware/request-id.js'
import { responseTime } from './middleware/response-time.js'
import { sanitise } from './middleware/sanitise.js'
import { securityHeaders } from './middleware/security-headers.js'
import { session } from './middleware/session.js'
import { items } from './routes/items.js'
import { me } from './routes/me.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.set('query parser', 'extended')

app.use(responseTime())
app.use(requestId())
app.use(accessLog())
app.use(locale(Object.keys(messages)))
app.use(locals({ messages, config }))
app.use(securityHeaders())
app.use(cors(config.allowedOrigins))
app.use(cookies())
app.use(session(config.sessionSecret))
app.use(featureFlags(flags))
app.use(express.json({ limit: config.bodyLimit }))
app.use(express.urlencoded({ limit: config.bodyLimit, extended: true }))
app.use(express.text({ limit: config.bodyLimit }))
app.use(sanitise())

app.use('/items', items)
app.use('/me', me)

app.use(notFound())
app.use(errors())

app.listen(Number(PORT), HOST)
