import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { sharedFile } from '../../runner/http/pages.js'

test('every module that a browser needs is served, and no other file', () => {
  const seen = new Set(['runner/http/browser.js'])
  for (const name of seen) {
    const file = sharedFile(name.split('/'))
    assert.ok(file !== null, name)
    const imports = fs.readFileSync(file, 'utf8').matchAll(/^(?:(?:import|export) .*|\} )from '(\.{1,2}\/.+)'/gm)
    for (const [, other] of imports) seen.add(new URL(other, `http://x/${name}`).pathname.slice(1))
  }
  assert.ok(seen.has('runner/report/browser.js'))
  for (const parts of [['runner', 'report', 'terminal.js'], ['runner', 'cli.js'],
    ['runner', 'report', '..', 'cli.js'], ['runner', 'http', 'guard.js']]) {
    assert.equal(sharedFile(parts), null)
  }
})
