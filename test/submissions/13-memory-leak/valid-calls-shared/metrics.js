const totals = { answers: {}, bytes: 0, slowestMs: 0 }

export function add (status, bytes, tookMs) {
  totals.answers[status] = (totals.answers[status] ?? 0) + 1
  totals.bytes += bytes
  if (tookMs > totals.slowestMs) totals.slowestMs = tookMs
}

export function report () {
  return totals
}
