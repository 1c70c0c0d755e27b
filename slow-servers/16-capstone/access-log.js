import fs from 'node:fs'

/** One line for each request: who requested what, and how it ended. */
export function accessLog (file) {
  return (req, res, next) => {
    const startedAt = performance.now()
    res.on('finish', () => {
      const entry = {
        time: new Date().toISOString(),
        id: req.get('x-request-id'),
        method: req.method,
        url: req.originalUrl,
        status: res.statusCode,
        durationMs: performance.now() - startedAt,
        headers: req.headers,
        trace: new Error('answered').stack
      }
      fs.appendFileSync(file, JSON.stringify(entry) + '\n')
    })
    next()
  }
}
