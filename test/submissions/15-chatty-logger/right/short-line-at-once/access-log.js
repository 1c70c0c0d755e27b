import fs from 'node:fs'
import path from 'node:path'

/** One short line of JSON for each request, written at once to a file that stays open. */
export function accessLog (file) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const fd = fs.openSync(file, 'a')
  return (req, res, next) => {
    const startedAt = performance.now()
    // Also when the client goes away before its response.
    res.on('close', () => {
      const { error } = res.locals
      append(fd, {
        time: new Date().toISOString(),
        level: levelOf(res.statusCode),
        method: req.method,
        url: req.originalUrl,
        status: res.statusCode,
        durationMs: performance.now() - startedAt,
        id: req.id,
        stack: res.statusCode >= 500 ? error?.stack : undefined
      })
    })
    next()
  }
}

function levelOf (status) {
  if (status >= 500) return 'error'
  return status >= 400 ? 'warn' : 'info'
}

function append (fd, entry) {
  const line = Buffer.from(JSON.stringify(entry) + '\n')
  for (let from = 0; from < line.length;) from += fs.writeSync(fd, line, from)
}
