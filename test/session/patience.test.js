import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { mostPatience, patienceNow, patienceOf, settleLate, withSession } from '../../runner/process/index.js'
import { TooBusy } from '../../runner/shared/errors.js'
import { temporaryFolder } from '../temporary.js'

/** @import { Attempt } from '../../runner/process/index.js' */

test('patience follows the share of the cores that a server got, up to a limit', () => {
  assert.equal(patienceOf(1, null), 1)
  assert.equal(patienceOf(1, { cpuMs: 0, waitMs: 500 }), 1)
  assert.equal(patienceOf(1, { cpuMs: 400, waitMs: 0 }), 1)
  assert.equal(patienceOf(1, { cpuMs: 400, waitMs: 400 }), 2)
  assert.equal(patienceOf(1.2, { cpuMs: 400, waitMs: 400 }), 2.4)
  assert.equal(patienceOf(1, { cpuMs: 1, waitMs: 10_000 }), mostPatience)
  assert.equal(patienceOf(0.1, { cpuMs: 1, waitMs: 10_000 }), 0.1 * mostPatience)
  // What was asked for is never cut.
  assert.equal(patienceOf(20, { cpuMs: 1, waitMs: 10_000 }), 20)
})

test('a server is looked at once for many requests that are late at the same moment', async () => {
  let looks = 0
  const server = { patience: 1, use: async () => ({ cpuMs: 100, waitMs: 50 * ++looks }) }
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => patienceNow(server))), [1.5, 1.5, 1.5])
  assert.equal(looks, 1)
})

const inTime = { isLate: false, message: '' }
const wrong = { isLate: false, message: 'it answered 500' }
const late = { isLate: true, message: 'no answer within 10 s' }

/** @param {Attempt} again @param {Attempt | null} slow null: it isn't asked */
async function settled (again, slow) {
  /** @type {string[]} */
  const asked = []
  const attempt = (/** @type {string} */ name, /** @type {Attempt} */ found) => async () => {
    asked.push(name)
    return found
  }
  const result = await settleLate({ again: attempt('again', again), slow: slow && attempt('slow', slow) })
    .catch((error) => {
      assert.ok(error instanceof TooBusy, error.stack)
      return { isLate: true, message: error.message }
    })
  return { ...result, asked }
}

test('what is in time the second time is right, or wrong, by itself', async () => {
  assert.deepEqual(await settled(inTime, inTime), { ...inTime, asked: ['again'] })
  assert.deepEqual(await settled(wrong, inTime), { ...wrong, asked: ['again'] })
})

test('what is late twice is a fault only if the slow server was in time', async () => {
  const fault = await settled(late, { ...inTime, tookMs: 312 })
  assert.deepEqual(fault, {
    isLate: true,
    message: 'no answer within 10 s (the second time, too, while the slow server took 0.31 s at most)',
    asked: ['again', 'slow']
  })
  // The slow server may be wrong in its own way: it isn't late.
  assert.match((await settled(late, wrong)).message, /while the slow server was in time\)$/)
  assert.match((await settled(late, late)).message, /^This machine is too busy to tell: .+ server was late as well/)
  assert.match((await settled(late, null)).message, /^This machine is too busy to tell: the slow server was late/)
})

test('where the slow server doesn’t start in time, nothing is said of a submission that doesn’t either', async (t) => {
  const dir = temporaryFolder(t)
  fs.writeFileSync(path.join(dir, 'server.js'), 'setInterval(() => {}, 1000)\n')
  const entry = { root: dir, dir, slowDir: dir, lesson: {} }
  await withSession(entry, { seed: 'one', patience: 0.02 }, async (session) => {
    await assert.rejects(session.start('yours', session.baseline), TooBusy)
    await assert.rejects(session.start('baseline', session.baseline), TooBusy)
  })
})
