import assert from 'node:assert/strict'
import test from 'node:test'
import { openFaultControl } from '../../../runner/process/index.js'

test('what goes wrong with a service is set with a POST, and nothing but a list of faults is taken', async (t) => {
  /** @type {unknown[]} */
  const set = []
  const { url, close } = await openFaultControl({ reset: async (faults) => { set.push(faults) } })
  t.after(close)
  const post = async (/** @type {string} */ body) => (await fetch(url, { method: 'POST', body })).status
  const faults = [{ path: '/prices', status: 500, delayMs: 20 }, { path: '/stock', reset: true }]
  assert.equal(await post(JSON.stringify(faults)), 200)
  assert.equal(await post('[]'), 200)
  assert.deepEqual(set, [faults, []])
  for (const wrong of ['', '{', '{}', '[1]', '[null]', '[{"status":500}]', '[{"path":"/","status":9000}]',
    '[{"path":"/","status":"500"}]', '[{"path":"/","delayMs":-1}]', '[{"path":"/","constructor":1}]']) {
    assert.equal(await post(wrong), 400, wrong)
  }
  assert.equal((await fetch(url)).status, 400)
  assert.equal(set.length, 2)
})
