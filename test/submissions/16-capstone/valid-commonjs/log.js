'use strict'
const SonicBoom = require('sonic-boom')
const { fileOf } = require('./data.js')

// It writes asynchronously, what has come meanwhile in one go; now and then the rest, so that nothing waits for long.
const file = new SonicBoom({ dest: fileOf('access.log'), minLength: 4096, sync: false })
setInterval(() => file.flush(), 100).unref()

exports.logRequest = function (req, res) {
  const startedAt = performance.now()
  const { method, url, headers: { 'x-request-id': id } } = req
  res.on('close', () => {
    file.write(`${JSON.stringify({
      time: new Date().toISOString(),
      id,
      method,
      url,
      status: res.statusCode,
      durationMs: performance.now() - startedAt
    })}\n`)
  })
}

exports.closeLog = function (done) {
  file.on('close', done)
  file.end()
}
