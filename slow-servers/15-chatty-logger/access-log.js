import fs from 'node:fs'
import path from 'node:path'
import { caller, details, headers, level, memory, redact, request, timestamp } from './formats.js'

Error.stackTraceLimit = 100

const formats = [timestamp, level, request, headers, caller, details, memory, redact]

/** One line of JSON for each request, with everything that helps to find out what happened. */
export function accessLog (file) {
  return (req, res, next) => {
    const startedAt = performance.now()
    const { end } = res
    let sentFrom = ''
    res.end = (...args) => {
      sentFrom = stackHere()
      return end.apply(res, args)
    }
    res.on('finish', () => {
      const context = { req, res, sentFrom, durationMs: performance.now() - startedAt }
      append(file, formats.reduce((entry, format) => format(entry, context), {}))
    })
    next()
  }
}

function stackHere () {
  return new Error('sent').stack
}

function append (file, entry) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.appendFileSync(file, JSON.stringify(entry) + '\n')
}
