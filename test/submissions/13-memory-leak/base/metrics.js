const totals = { answers: {}, bytes: 0, slowestMs: 0 }

/** An Express middleware: counts what is answered. */
export function measure (req, res, next) {
  const startedAt = performance.now()
  res.on('finish', () => {
    const { statusCode } = res
    // Numbers are added up at once. Nothing of the request is needed afterwards, so nothing of it is kept.
    totals.answers[statusCode] = (totals.answers[statusCode] ?? 0) + 1
    totals.bytes += res.locals.page?.bytes ?? 0
    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
  })
  next()
}

export function report () {
  return totals
}
