import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { idOf, lookAtLog } from '../../lessons/shared/log-file.js'
import { createRandom } from '../../runner/shared/random.js'
import { temporaryFolder } from '../temporary.js'

test('a read that a write overtook has a line of its own, and a look at the log waits for both', async (t) => {
  const dataDir = temporaryFolder(t)
  const asked = { path: '/report', headers: { 'x-request-id': 'same' } }
  const [early, again] = [{ inFlight: true }, {}].map((more, id) =>
    /** @type {any} */ ({ id, name: 'report', operation: {}, asked, transport: {}, ...more }))
  const { draw } = lookAtLog({
    rule: 'one line each',
    names: () => ['report'],
    keyOf: ({ request }) => `${idOf(request)}`,
    isOf: ({ id }, key) => id === key
  })
  const look = draw({ random: createRandom('log'), data: {}, past: () => [again], sent: () => [early, again] })
  assert.ok(typeof look === 'function')
  const plain = look(() => /** @type {any} */ ({ status: 200, elapsedMs: 5, headers: {} }))
  assert.ok(plain && 'look' in plain)

  const line = JSON.stringify({
    time: new Date().toISOString(), id: 'same', method: 'GET', url: '/report', status: 200, durationMs: 1
  })
  const file = path.join(dataDir, 'access.log')
  fs.writeFileSync(file, `${line}\n`)
  const seen = plain.look(/** @type {any} */ ({ dataDir }))
  setTimeout(() => fs.appendFileSync(file, `${line}\n`), 100)
  const [lines] = Object.values(/** @type {any} */ (await seen))
  assert.equal(lines.length, 2)
})
