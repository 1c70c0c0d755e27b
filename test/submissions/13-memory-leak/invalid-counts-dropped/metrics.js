const totals = { answers: {}, bytes: 0, slowestMs: 0 }
let pending = []

export function measure (req, res, next) {
  const startedAt = performance.now()
  res.on('finish', () => {
    const tookMs = performance.now() - startedAt
    pending.push(() => add(res.statusCode, res.locals.page, tookMs))
    if (pending.length > 100) pending.shift()
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
