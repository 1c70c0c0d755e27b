import fs from 'node:fs'

const FLUSH_MS = 100

/** One line for each request: who asked for what, and what became of it. Written in batches, one after the other. */
export function openAccessLog (file) {
  const fd = fs.openSync(file, 'a')
  let lines = []
  let timer
  let writing

  function add (line) {
    lines.push(line)
    timer ??= setTimeout(flush, FLUSH_MS)
  }

  function flush () {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll().finally(() => { writing = undefined })
    return writing
  }

  async function writeAll () {
    while (lines.length > 0) {
      const batch = Buffer.from(lines.join(''))
      lines = []
      for (let from = 0; from < batch.length;) from += await write(batch, from)
    }
  }

  function write (batch, from) {
    return new Promise((resolve, reject) => {
      fs.write(fd, batch, from, (error, written) => error ? reject(error) : resolve(written))
    })
  }

  function middleware (req, res, next) {
    const startedAt = performance.now()
    const url = req.originalUrl ?? req.url
    // Also when the client goes away before its answer.
    res.on('close', () => {
      add(JSON.stringify({
        time: new Date().toISOString(),
        id: req.headers['x-request-id'],
        method: req.method,
        url,
        status: res.statusCode,
        durationMs: performance.now() - startedAt
      }) + '\n')
    })
    next()
  }

  return { middleware, flush }
}
