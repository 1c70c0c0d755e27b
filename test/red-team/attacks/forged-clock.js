import http from 'node:http'

// Every clock of the process goes slowly, and the Date header with it.
const start = Date.now()
const now = Date.now
Date.now = () => start + (now() - start) / 100
performance.now = () => 1
process.hrtime = Object.assign(() => /** @type {[number, number]} */ ([0, 1]), { bigint: () => 1n })
const { setHeader } = http.ServerResponse.prototype
http.ServerResponse.prototype.setHeader = function (name, value) {
  return setHeader.call(this, name, name.toLowerCase() === 'date' ? new Date(0).toUTCString() : value)
}
