'use strict'
const http = require('node:http')
const once = require('once')

const { UPSTREAM_URL } = process.env
const TIMEOUT_MS = 1000
const agent = new http.Agent({ keepAlive: true })

/** done(error) or done(null, body); an error knows its service. */
exports.ask = function (service, path, requestId, done) {
  const end = once((error, body) => {
    clearTimeout(timer)
    done(error && Object.assign(error, { service }), body)
  })
  const headers = { 'X-Request-Id': requestId }
  const request = http.get(`${UPSTREAM_URL}/${service}${path}`, { agent, headers }, (res) => {
    let text = ''
    res.setEncoding('utf8').on('data', (chunk) => { text += chunk }).on('error', end)
    res.on('end', () => {
      if (res.statusCode !== 200) {
        return end(Object.assign(new Error(`${service} answered ${res.statusCode}`), { status: res.statusCode }))
      }
      let body
      try {
        body = JSON.parse(text)
      } catch (error) {
        return end(error)
      }
      end(null, body)
    })
  }).on('error', end)
  const timer = setTimeout(() => {
    request.destroy(Object.assign(new Error(`${service} took too long`), { timedOut: true }))
  }, TIMEOUT_MS)
}
