import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test from 'node:test'
import { readMemory } from '../../../runner/inside/index.js'
import { connectInspector } from '../../../runner/inside/inspector.js'
import { signalChild } from '../../../runner/process/index.js'

/**
 * A process with an inspector that runs a script and goes on until it is killed.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} script
 * @returns {Promise<string>} URL of its inspector
 */
async function inspected (t, script) {
  const child = spawn(
    process.execPath,
    [
      '--inspect=127.0.0.1:0',
      '--inspect-publish-uid=stderr',
      '-e',
      `${script}; setInterval(() => {}, 1000); console.log('ready')`
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  t.after(async () => {
    signalChild(child, 'SIGKILL')
    await once(child, 'exit')
  })
  const [line] = await once(child.stderr, 'data')
  await once(child.stdout, 'data')
  return /ws:\S+/.exec(String(line))?.[0] ?? ''
}

test('memory that is held is seen on the heap and outside of it, and garbage is not', async (t) => {
  const empty = await readMemory(await inspected(t, 'let held'))
  const garbage = await readMemory(
    await inspected(t, 'for (let i = 0; i < 200; i++) Array.from({ length: 10000 }, () => ({}))')
  )
  const objects = await readMemory(
    await inspected(t, 'globalThis.held = Array.from({ length: 200000 }, () => ({ a: 1 }))')
  )
  const buffers = await readMemory(await inspected(t, 'globalThis.held = Buffer.alloc(20e6, 1)'))
  assert.ok(objects.heapBytes - empty.heapBytes > 4e6, 'objects')
  assert.ok(Math.abs(garbage.heapBytes - empty.heapBytes) < 2e6, 'garbage')
  assert.ok(buffers.externalBytes - empty.externalBytes > 19e6, 'buffers')
})

test(
  'a process that ends the session is told of in one sentence, and so is a method that does not exist',
  async (t) => {
    const url = await inspected(t, "globalThis.end = () => setTimeout(() => require('inspector').close())")
    const session = await connectInspector(url)
    await assert.rejects(session.send('Runtime.noSuchMethod'), /wasn't found/)
    await assert.rejects(
      session.send('Runtime.evaluate', { expression: 'end(), new Promise(() => {})', awaitPromise: true }),
      /closed the session/
    )
    session.close()
    await assert.rejects(session.send('Runtime.getHeapUsage'), /closed the session/)
  }
)

test('a process that isn’t there is an error, not a hang', async () => {
  await assert.rejects(connectInspector('ws://127.0.0.1:9/none'), /ECONNREFUSED/)
})
