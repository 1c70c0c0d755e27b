import { patch } from '../apply.js'

export default [
  {
    name: 'base',
    on: 'slow',
    why: 'A timer writes the lines that have gathered, all in one file: the wrong ones change it.',
    change: {
      ...patch`
        -import { readFileSync } from 'node:fs'
        +import { createWriteStream, readFileSync } from 'node:fs'
        @@
        -import { accessLog } from './access-log.js'
        @@
        +const levelOf = (status) => status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
        +
        +function entryOf (req, res, startedAt) {
        +  const stack = res.statusCode >= 500 ? res.locals.error?.stack : undefined
        +  return {
        +    time: new Date().toISOString(),
        +    level: levelOf(res.statusCode),
        +    method: req.method,
        +    url: req.originalUrl,
        +    status: res.statusCode,
        +    durationMs: performance.now() - startedAt,
        +    id: req.id,
        +    stack
        +  }
        +}
        +
        +const stream = createWriteStream(path.join(DATA_DIR, 'access.log'), { flags: 'a' })
        +let lines = []
        +
        +function add (entry) {
        +  lines.push(JSON.stringify(entry) + '\n')
        +}
        +
        +function flush () {
        +  if (lines.length > 0) stream.write(lines.join(''))
        +  lines = []
        +}
        +
        +setInterval(flush, 50).unref()
        +
         const app = express()
        @@
        -app.use(accessLog(path.join(DATA_DIR, 'access.log')))
        +app.use((req, res, next) => {
        +  const startedAt = performance.now()
        +  res.on('finish', () => add(entryOf(req, res, startedAt)))
        +  next()
        +})
        @@
        -  server.close(() => process.exit())
        +  server.close(() => {
        +    flush()
        +    stream.end(() => process.exit())
        +  })
      `,
      'access-log.js': null,
      'formats.js': null
    }
  },
  {
    name: 'valid-line-stream',
    on: 'base',
    why: 'The stream alone keeps the lines, without a buffer or timer.',
    change: patch`
      -const stream = createWriteStream(path.join(DATA_DIR, 'access.log'), { flags: 'a' })
      -…
      -setInterval(flush, 50).unref()
      +const stream = createWriteStream(path.join(DATA_DIR, 'access.log'), { flags: 'a', highWaterMark: 256 * 1024 })
      +
      +// The stream itself keeps the lines in order and joins those that wait.
      +function add (entry) {
      +  stream.write(JSON.stringify(entry) + '\n')
      +}
      @@
      -  server.close(() => {
      -…
      -  })
      +  server.close(() => stream.end(() => process.exit()))
    `
  },
  {
    name: 'valid-pino',
    on: 'base',
    why: 'A logging library writes the lines, with its own buffer.',
    change: patch`
      -import { createWriteStream, readFileSync } from 'node:fs'
      +import { readFileSync } from 'node:fs'
      @@
       import express from 'express'
      +// The workshop has pino because restify depends on it.
      +import pino from 'pino'
      @@
      -const levelOf = (status) => status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
      -…
      -setInterval(flush, 50).unref()
      +const destination = pino.destination({ dest: path.join(DATA_DIR, 'access.log'), sync: false, minLength: 8192 })
      +const log = pino({
      +  base: undefined,
      +  timestamp: pino.stdTimeFunctions.isoTime,
      +  formatters: { level: (level) => ({ level }) }
      +}, destination)
      +// What is shorter than minLength would wait for the next busy hour.
      +setInterval(() => destination.flush(), 100).unref()
      @@
      -  res.on('finish', () => add(entryOf(req, res, startedAt)))
      +  res.on('close', () => {
      +    const { statusCode: status } = res
      +    const entry = {
      +      method: req.method,
      +      url: req.originalUrl,
      +      status,
      +      durationMs: performance.now() - startedAt,
      +      id: req.id
      +    }
      +    if (status >= 500) log.error({ ...entry, stack: res.locals.error?.stack })
      +    else if (status >= 400) log.warn(entry)
      +    else log.info(entry)
      +  })
      @@
      -    flush()
      -    stream.end(() => process.exit())
      +    destination.once('close', () => process.exit())
      +    destination.end()
    `
  },
  {
    name: 'valid-short-line-at-once',
    on: 'slow',
    why: 'Still synchronous, but a short line to a file that stays open: nothing can be lost.',
    files: 'right/short-line-at-once',
    change: patch`
      +// The short line is written synchronously, at once: nothing is kept that could be lost.
       import { randomBytes, randomUUID } from 'node:crypto'
      @@
         server.close(() => process.exit())
      +  setTimeout(() => server.closeAllConnections(), 200).unref()
    `
  },
  {
    name: 'valid-worker-thread',
    on: 'base',
    why: 'A thread writes the lines, in batches and synchronously.',
    change: patch`
      -import { createWriteStream, readFileSync } from 'node:fs'
      +import { readFileSync } from 'node:fs'
      @@
       import express from 'express'
      +import { Worker } from 'node:worker_threads'
      @@
      -const stream = createWriteStream(path.join(DATA_DIR, 'access.log'), { flags: 'a' })
      -let lines = []
      +const writer = new Worker(\`
      +  const { parentPort, workerData } = require('node:worker_threads')
      +  const fs = require('node:fs')
      +  const fd = fs.openSync(workerData, 'a')
      +  parentPort.on('message', (entries) => {
      +    // Synchronous, but on a thread on which nobody waits.
      +    if (entries) fs.writeSync(fd, entries.map((entry) => JSON.stringify(entry) + '\\n').join(''))
      +    else process.exit()
      +  })
      +\`, { eval: true, workerData: path.join(DATA_DIR, 'access.log') })
      +let entries = []
      @@
      -  lines.push(JSON.stringify(entry) + '\n')
      +  if (entries.push(entry) === 1) setTimeout(flush, 40)
      @@
      -  if (lines.length > 0) stream.write(lines.join(''))
      -…
      -setInterval(flush, 50).unref()
      +  if (entries.length > 0) writer.postMessage(entries)
      +  entries = []
      +}
      @@
      -    stream.end(() => process.exit())
      +    writer.on('exit', () => process.exit())
      +    writer.postMessage(null)
    `
  }
]
