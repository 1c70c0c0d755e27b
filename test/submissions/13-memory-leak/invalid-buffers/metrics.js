import { serialize, deserialize } from 'node:v8'

const totals = { answers: {}, bytes: 0, slowestMs: 0 }
let pending = []

export function measure (req, res, next) {
  const startedAt = performance.now()
  res.on('finish', () => {
    const { statusCode: status, locals: { page } } = res
    pending.push(serialize({ status, headers: req.headers, html: page?.html ?? '', tookMs: performance.now() - startedAt }))
  })
  next()
}

export function report () {
  for (const packed of pending) {
    const { status, html, tookMs } = deserialize(packed)
    totals.answers[status] = (totals.answers[status] ?? 0) + 1
    totals.bytes += Buffer.byteLength(html)
    totals.slowestMs = Math.max(totals.slowestMs, tookMs)
  }
  pending = []
  return totals
}
