'use strict'

const { pbkdf2Sync, timingSafeEqual } = require('node:crypto')

process.on('message', ({ password, salt, hash, iterations, digest }) => {
  const stored = Buffer.from(hash, 'hex')
  const derived = pbkdf2Sync(password, Buffer.from(salt, 'hex'), iterations, stored.length, digest)
  process.send(timingSafeEqual(derived, stored))
})
process.on('disconnect', () => process.exit())
