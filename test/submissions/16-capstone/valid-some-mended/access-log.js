import fs from 'node:fs'

/** One line for each request: who asked for what, and what became of it. */
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
        durationMs: performance.now() - startedAt
      }
      fs.appendFileSync(file, JSON.stringify(entry) + '\n')
    })
    next()
  }
}
