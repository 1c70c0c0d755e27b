/** X-Response-Time: how long the answer took, up to its headers. */
export function responseTime () {
  return (req, res, next) => {
    const startedAt = process.hrtime.bigint()
    const { writeHead } = res
    res.writeHead = function (...args) {
      const tookMs = Number(process.hrtime.bigint() - startedAt) / 1e6
      res.setHeader('X-Response-Time', `${tookMs.toFixed(3)}ms`)
      return writeHead.apply(this, args)
    }
    next()
  }
}
