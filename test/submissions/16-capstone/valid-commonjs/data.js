'use strict'
const fs = require('node:fs')
const path = require('node:path')

exports.fileOf = (name) => path.join(process.env.DATA_DIR ?? '.', name)
exports.read = (name) => JSON.parse(fs.readFileSync(exports.fileOf(name), 'utf8'))
