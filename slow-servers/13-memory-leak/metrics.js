const totals = { answers: {}, bytes: 0, slowestMs: 0 }
let pending = []

/** An Express middleware: counts what is answered. */
export function measure (req, res, next) {
  const startedAt = performance.now()
  res.on('finish', () => {
    const tookMs = performance.now() - startedAt
    // Hardly anyone looks at the statistics: they're added up when they're requested.
    pending.push(() => add(res.statusCode, res.locals.page, tookMs))
  })
  next()
}

export function report () {
  for (const addOne of pending) addOne()
  pending = []
  return totals
}

function add (status, page, tookMs) {
  totals.answers[status] = (totals.answers[status] ?? 0) + 1
  totals.bytes += page ? Buffer.byteLength(page.html) : 0
  totals.slowestMs = Math.max(totals.slowestMs, tookMs)
}
