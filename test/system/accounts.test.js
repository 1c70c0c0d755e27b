import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test from 'node:test'
import { Worker } from 'node:worker_threads'
import { cpuTime } from '../../runner/process/cpu.js'

const linux = { skip: process.platform !== 'linux' && 'reads /proc' }
const burn = `const until = process.cpuUsage().user + 60_000
  while (process.cpuUsage().user < until) for (let at = 0; at < 1e5; at++);`
/** Two roundings down of 10 ms each. */
const roundingMs = 20

test('a thread that has ended leaves its CPU time in the account', linux, async () => {
  const before = cpuTime([process.pid])?.cpuMs ?? NaN
  const usedBefore = process.cpuUsage()
  for (let thread = 0; thread < 2; thread++) await once(new Worker(burn, { eval: true }), 'exit')
  const { user, system } = process.cpuUsage(usedBefore)
  const counted = (cpuTime([process.pid])?.cpuMs ?? NaN) - before
  assert.ok(user + system >= 120_000)
  assert.ok(counted >= (user + system) / 1000 - roundingMs, `${counted} ms of ${(user + system) / 1000}`)
})

test('a child that was waited for leaves its CPU time with its parent', linux, async () => {
  const before = cpuTime([process.pid])?.cpuMs ?? NaN
  const own = process.cpuUsage()
  await once(spawn(process.execPath, ['-e', burn], { stdio: 'ignore' }), 'exit')
  const { user, system } = process.cpuUsage(own)
  const ofChild = (cpuTime([process.pid])?.cpuMs ?? NaN) - before - (user + system) / 1000
  assert.ok(ofChild >= 60 - 2 * roundingMs, `${ofChild} ms`)
})
