'use strict'

const crypto = require('node:crypto')
const { promisify } = require('node:util')

const pbkdf2 = promisify(crypto.pbkdf2)
const randomBytes = promisify(crypto.randomBytes)
const derive = (password, salt) => pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512')

exports.hash = async (password) => {
  const salt = (await randomBytes(128)).toString('hex')
  return { salt, hash: (await derive(password, salt)).toString('hex') }
}

exports.verify = async (password, { salt, hash }) =>
  crypto.timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
