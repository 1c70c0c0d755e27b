import assert from 'node:assert/strict'
import test from 'node:test'
import { runOnce } from '../../../runner/load/load-plan/run-once.js'
import { httpServer } from '../trap-server.js'

for (const loop of [{ rate: 50 }, { users: 2 }]) {
  test(`a latency is that of a job, in a loop of ${Object.keys(loop)[0]}`, async () => {
    const jobMs = 40
    const server = await httpServer((_req, res) => { setTimeout(() => res.end('{}'), jobMs) })
    const plan = /** @type {any} */ ({ ...loop, paths: ['/work'], durationMs: 300, figure: 'mean' })
    const { latencies, wrong, problems } = await runOnce({ port: server.port, plan, check: () => undefined })
    await server.close()
    assert.deepEqual([wrong, problems], [0, []])
    assert.ok(latencies.length >= 5)
    // A timer may fire a millisecond early. How late an answer comes is up to the machine.
    assert.ok(latencies.every((ms) => ms >= jobMs - 2), `${latencies}`)
    assert.ok(Math.min(...latencies) < 300, `${latencies}`)
  })
}
