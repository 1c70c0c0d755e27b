import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import test from 'node:test'
import { signalChild } from '../../runner/system/index.js'
import { workshopRoot } from '../../runner/workshop.js'
import { root } from '../check/mini.js'
import { until } from '../until.js'
import { cli, withoutNpm } from './run.js'

const signals = { skip: process.platform === 'win32' && 'Windows has no signals to send' }

for (const name of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
  test(`a server goes with the npm that started it, ended by ${name}`, signals, async (t) => {
    const env = { ...withoutNpm(process.env), MAKE_IT_FAST_LESSONS: root }
    const npm = spawn('npm', ['run', '--silent', 'serve', '1', 'slow'], { cwd: workshopRoot, env })
    t.after(() => { signalChild(npm, 'SIGTERM') })
    const [, port] = await said(npm, /listens on http:\/\/127\.0\.0\.1:(\d+)/)
    assert.equal(await isTaken(Number(port)), true)
    signalChild(npm, name)
    await until(async () => !await isTaken(Number(port)))
  })
}

test('all commands that stay go with their npm', async () => {
  for (const name of ['class', 'serve', 'start', 'watch']) {
    assert.equal((await import(`../../runner/cli/commands/${name}.js`)).stays, true, name)
  }
})

test('the service behind a server goes wrong as a check would make it, and is well again', signals, async (t) => {
  const child = spawn(process.execPath, [cli, 'serve', '14', 'slow', '--seed', 'b8zm-k62t-pksh'], {
    env: withoutNpm({ ...process.env, MAKE_IT_FAST_LESSONS: undefined })
  })
  const [, page, control] = await said(child, /curl -i "(\S+)"[^]*curl -d \S+ (http:\/\/127\.0\.0\.1:\d+)\n/)
  const statusAfter = async (/** @type {object[]} */ faults) => {
    assert.equal((await fetch(control, { method: 'POST', body: JSON.stringify(faults) })).status, 200)
    return (await fetch(page)).status
  }
  assert.equal(await statusAfter([{ path: '/recommendations', reset: true }]), 502)
  assert.equal(await statusAfter([]), 200)
  signalChild(child, 'SIGINT')
  t.after(() => { signalChild(child, 'SIGKILL') })
  assert.deepEqual(await once(child, 'exit'), [130, null])
})

/**
 * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @param {RegExp} pattern
 * @returns {Promise<RegExpExecArray>} once its output matches
 */
async function said (child, pattern) {
  let text = ''
  child.stderr.on('data', (chunk) => { text += chunk })
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk
    const found = pattern.exec(text)
    if (found) return found
  }
  throw new Error(`It ended and said: ${text}`)
}

/** @param {number} port */
async function isTaken (port) {
  const socket = net.connect({ host: '127.0.0.1', port })
  const isOpen = await once(socket, 'connect').then(() => true, () => false)
  socket.destroy()
  return isOpen
}
