/** X-Response-Time: how long the answer took, up to its headers. */
export function responseTime (res) {
  const startedAt = performance.now()
  const { writeHead } = res
  res.writeHead = function (...args) {
    res.setHeader('X-Response-Time', `${(performance.now() - startedAt).toFixed(3)}ms`)
    return writeHead.apply(this, args)
  }
}
