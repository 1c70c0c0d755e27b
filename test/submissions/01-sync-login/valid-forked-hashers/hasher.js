'use strict'

const { pbkdf2Sync, timingSafeEqual } = require('node:crypto')

process.on('message', ({ password, salt, hash, iterations, digest }) => {
  const stored = Buffer.from(hash, 'hex')
  process.send(timingSafeEqual(pbkdf2Sync(password, Buffer.from(salt, 'hex'), iterations, stored.length, digest), stored))
})
process.on('disconnect', () => process.exit())
