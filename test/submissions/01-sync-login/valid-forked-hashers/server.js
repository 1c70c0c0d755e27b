'use strict'

const restify = require('restify')
const { isRightPassword } = require('./hashers')
const sessions = require('./sessions')
const { config, users } = require('./data')

const server = restify.createServer({ name: 'login' })
server.use(restify.plugins.jsonBodyParser({ mapParams: false }))

server.get('/healthz', async (req, res) => {
  res.send({ status: 'ok' })
})

server.post('/login', async (req, res) => {
  const body = ['email', 'password'].filter((name) => typeof req.body?.[name] !== 'string' || req.body[name] === '')
  if (body.length > 0) return res.send(400, { error: 'missing_required_parameters', context: { body } })

  const user = users.get(req.body.email)
  if (!user || !await isRightPassword(req.body.password, user)) {
    return res.send(401, { error: 'bad_credentials', message: 'This is not right.' })
  }

  const access = sessions.giveAccess(user)
  res.setHeader('Set-Cookie', [access.cookie, sessions.open(user)])
  res.send({
    accessTokenExpiresIn: config.accessTokenTtlSeconds,
    refreshTokenExpiresIn: config.refreshTokenTtlSeconds,
    xsrfToken: access.xsrfToken
  })
})

server.post('/token', async (req, res) => {
  const user = sessions.redeem(req.headers.cookie)
  if (!user) return res.send(401, { error: 'bad_refresh_token', message: 'Log in again.' })
  const { cookie, xsrfToken } = sessions.giveAccess(user)
  res.setHeader('Set-Cookie', cookie)
  res.send({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken })
})

server.listen(Number(process.env.PORT), process.env.HOST)
