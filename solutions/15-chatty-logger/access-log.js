import fs from 'node:fs'

const FLUSH_MS = 100
const FLUSH_LINES = 500

/**
 * Collects lines and writes them in batches, off the event loop, in the order in which they arrived.
 *
 * @param {string} file
 */
export function openAccessLog (file) {
  const stream = fs.createWriteStream(file, { flags: 'a' })
  stream.on('error', (error) => console.error('access log:', error.message))
  let lines = []
  let timer

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length === 0) return
    const batch = lines.join('\n') + '\n'
    lines = []
    stream.write(batch)
  }

  return {
    add (entry) {
      lines.push(JSON.stringify(entry))
      if (lines.length >= FLUSH_LINES) flush()
      else timer ??= setTimeout(flush, FLUSH_MS)
    },
    /** @param {() => void} done called when the last line is in the file */
    close (done) {
      flush()
      stream.end(done)
    }
  }
}

/** An Express middleware that adds one entry for each request. */
export function logRequests (log) {
  return (req, res, next) => {
    const startedAt = performance.now()
    // 'close', not 'finish': it also comes when the client has gone away before its response.
    res.on('close', () => log.add(entryOf(req, res, performance.now() - startedAt)))
    next()
  }
}

// A list of what to log. A list of what to leave out would miss the next secret.
function entryOf (req, res, durationMs) {
  // Without a response, statusCode would still say 200. 499 is nginx's number for a client that has gone away.
  const status = res.writableFinished ? res.statusCode : 499
  return {
    time: new Date().toISOString(),
    level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
    method: req.method,
    url: req.originalUrl,
    status,
    durationMs: Math.round(durationMs * 100) / 100,
    id: req.id,
    stack: status >= 500 ? res.locals.error?.stack : undefined
  }
}
