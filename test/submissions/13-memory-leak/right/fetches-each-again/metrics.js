const totals = { answers: {}, bytes: 0, slowestMs: 0 }

/** An Express middleware: counts what is answered, as soon as it is. */
export function measure (req, res, next) {
  const startedAt = performance.now()
  res.on('finish', () => {
    const { page } = res.locals
    totals.answers[res.statusCode] = (totals.answers[res.statusCode] ?? 0) + 1
    if (page) totals.bytes += page.bytes
    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
  })
  next()
}

export function report () {
  return totals
}
