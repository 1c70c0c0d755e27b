import assert from 'node:assert/strict'
import test from 'node:test'
import { certificatePage } from '../../../runner/report/index.js'
import { hostile, hostileText, passed, tiered } from '../records.js'

const at = '2026-11-22T10:00:00.000Z'

test('says who has passed what, with ratio, target, interval, day and seed', () => {
  const record = passed()
  const page = certificatePage([record, { ...tiered(), verdict: 'pass' }], { name: 'Ada Lovelace', at })
  const text = page.replace(/<style>[^]*<\/style>/, '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  assert.match(text, /Ada Lovelace has made 2 slow Node\.js servers fast/)
  const row = `${record.lesson.number} ${record.lesson.title} [\\d.]+× at least [\\d.]+× [\\d.]+ to [\\d.]+`
  assert.match(text, new RegExp(row))
  assert.ok(text.includes(record.seed))
  assert.match(text, /2026-11-22/)
  assert.match(text, /no one else has verified it/)
})

test('a name is no markup, and may be left out', () => {
  assert.doesNotMatch(certificatePage([hostile()], { name: '<script>alert(1)</script>', at }), /<script>alert/)
  const page = certificatePage([hostile()], { name: hostileText, at })
  assert.doesNotMatch(page.replace(/<script type="application\/json"[^]*?<\/script>/, ''), /<script|<img/)
  assert.match(certificatePage([passed()], { name: '', at }), /<title>Make It Fast<\/title>/)
})
