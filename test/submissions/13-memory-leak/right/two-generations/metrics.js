const totals = { answers: {}, bytes: 0, slowestMs: 0 }
// Added up in one go, but never more than this many at a time.
const MOST = 64
let pending = []

export function measure (req, res, next) {
  const startedAt = performance.now()
  res.on('finish', () => {
    const status = res.statusCode
    const bytes = res.locals.page ? Buffer.byteLength(res.locals.page.html) : 0
    pending.push({ status, bytes, tookMs: performance.now() - startedAt })
    if (pending.length >= MOST) report()
  })
  next()
}

export function report () {
  for (const { status, bytes, tookMs } of pending) {
    totals.answers[status] = (totals.answers[status] ?? 0) + 1
    totals.bytes += bytes
    totals.slowestMs = Math.max(totals.slowestMs, tookMs)
  }
  pending = []
  return totals
}
