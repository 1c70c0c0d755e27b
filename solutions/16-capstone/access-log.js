import fs from 'node:fs'

const flushMs = 100
const mostLines = 500

/** A log file that is written in batches: one write for many lines, in the order in which they came. */
export function openAccessLog (file) {
  const stream = fs.createWriteStream(file, { flags: 'a' })
  let lines = []
  let timer
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length > 0) stream.write(lines.join(''))
    lines = []
  }
  return {
    add (entry) {
      lines.push(`${JSON.stringify(entry)}\n`)
      if (lines.length >= mostLines) flush()
      else timer ??= setTimeout(flush, flushMs)
    },
    close (done) {
      flush()
      stream.end(done)
    }
  }
}

/** One line for each request: who requested what, and how it ended. No headers, because they hold secrets. */
export function logRequests (log) {
  return (req, res, next) => {
    const startedAt = performance.now()
    res.on('close', () => {
      log.add({
        time: new Date().toISOString(),
        id: req.get('x-request-id'),
        method: req.method,
        url: req.originalUrl,
        status: res.statusCode,
        durationMs: performance.now() - startedAt
      })
    })
    next()
  }
}
