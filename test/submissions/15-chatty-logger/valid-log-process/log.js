import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** Lines go through a pipe to a process that does nothing but write them. */
export function openLog (file) {
  const writer = spawn(process.execPath, [fileURLToPath(new URL('writer.js', import.meta.url)), file], {
    stdio: ['pipe', 'inherit', 'inherit']
  })
  writer.stdin.on('error', (error) => console.error('access log:', error.message))
  return {
    add (line) {
      // All lines of one turn of the event loop go in one write.
      if (writer.stdin.writableCorked === 0) {
        writer.stdin.cork()
        setImmediate(() => writer.stdin.uncork())
      }
      writer.stdin.write(line)
    },
    close (done) {
      writer.on('exit', done)
      writer.stdin.end()
    }
  }
}

export function logRequest (log, req, res) {
  const startedAt = performance.now()
  const id = req.headers['x-request-id'] || randomUUID()
  res.setHeader('X-Request-Id', id)
  res.on('close', () => {
    const { statusCode: status } = res
    log.add(JSON.stringify({
      time: new Date().toISOString(),
      level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
      method: req.method,
      url: req.url,
      status,
      durationMs: performance.now() - startedAt,
      id,
      stack: res.error?.stack
    }) + '\n')
  })
}
