'use strict'
const totals = exports.totals = { answers: {}, bytes: 0, slowestMs: 0 }

exports.measure = function (res) {
  const startedAt = performance.now()
  res.on('finish', () => {
    totals.answers[res.statusCode] = (totals.answers[res.statusCode] ?? 0) + 1
    totals.bytes += res.pageBytes ?? 0
    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - startedAt)
  })
}
