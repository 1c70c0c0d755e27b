'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))

exports.config = read('config.json')
exports.users = new Map(read('users.json').map((user) => [user.email, user]))
