import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

Error.stackTraceLimit = 100

/** One line of JSON for each request, with everything that helps to find out what happened. */
export function accessLog (file) {
  return (req, res, next) => {
    const startedAt = performance.now()
    const { end } = res
    let answeredFrom = ''
    res.end = (...args) => {
      answeredFrom = new Error('answered').stack
      return end.apply(res, args)
    }
    res.on('finish', () => {
      const { error } = res.locals
      append(file, {
        time: new Date().toISOString(),
        level: levelOf(res.statusCode),
        method: req.method,
        url: req.originalUrl,
        status: res.statusCode,
        durationMs: performance.now() - startedAt,
        id: req.id,
        headers: JSON.stringify({ request: req.headers, response: res.getHeaders() }, null, 2),
        request: inspect(req, { depth: 1, sorted: true }),
        memory: process.memoryUsage(),
        stack: error?.stack,
        trace: framesOf(answeredFrom)
      })
    })
    next()
  }
}

function levelOf (status) {
  if (status >= 500) return 'error'
  return status >= 400 ? 'warn' : 'info'
}

/** Where each frame is, with its line of source. */
function framesOf (stack) {
  return stack.split('\n').slice(1).map((frame) => {
    const [, location, line] = /\(?((?:file:|[/A-Z]).*?):(\d+):\d+\)?$/.exec(frame) ?? []
    return { at: frame.trim(), source: location ? sourceLine(location, Number(line)) : undefined }
  })
}

function sourceLine (location, line) {
  const file = location.startsWith('file:') ? fileURLToPath(location) : location.replace(/^at /, '')
  if (!fs.existsSync(file)) return undefined
  return fs.readFileSync(file, 'utf8').split('\n')[line - 1]?.trim()
}

function append (file, entry) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.appendFileSync(file, JSON.stringify(entry) + '\n')
}
