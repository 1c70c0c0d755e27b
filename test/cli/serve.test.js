import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import test from 'node:test'
import { commands } from '../../runner/cli/main.js'
import { signalChild } from '../../runner/process/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { root, submission, variant } from '../check/mini.js'
import { until } from '../until.js'
import { runCommand, withoutNpm } from './run.js'

const env = { ...withoutNpm(process.env), MAKE_IT_FAST_LESSONS: root }
const signals = { skip: process.platform === 'win32' && 'Windows has no signals to send' }

test('a server has its lesson’s data, and goes with the npm that started it', signals, async (t) => {
  const npm = spawn('npm', ['run', '--silent', 'serve', '1', 'slow'], { cwd: workshopRoot, env })
  t.after(() => { signalChild(npm, 'SIGTERM') })
  let said = ''
  npm.stdout.on('data', (chunk) => { said += chunk })
  await until(() => /curl -i "/.test(said))
  const [, page, port] = /curl -i "(http:\/\/127\.0\.0\.1:(\d+)\S+)"/.exec(said) ?? []
  assert.match((/** @type {any} */ (await (await fetch(page)).json())).secret, /^[a-z]{12}$/)
  signalChild(npm, 'SIGKILL')
  await until(async () => !await isTaken(Number(port)))
})

test('all commands that stay go with their npm', async () => {
  for (const name of ['class', 'serve', 'start', 'watch']) {
    assert.equal((await commands[name]()).stays, true, name)
  }
})

test('the service behind a server goes wrong as a check would make it, and is well again', async () => {
  /** @type {Promise<number[]> | null} */
  let statuses = null
  const { code } = await runCommand(['serve', '14', 'slow', '--seed', 'b8zm-k62t-pksh'], {
    env: { ...env, MAKE_IT_FAST_LESSONS: undefined },
    onOutput: (said, signal) => {
      const [, page, control] = /curl -i "(\S+)"[^]*curl -d \S+ (http:\/\/127\.0\.0\.1:\d+)\n/.exec(said) ?? []
      if (control === undefined || statuses !== null) return
      const statusAfter = async (/** @type {object[]} */ faults) => {
        assert.equal((await fetch(control, { method: 'POST', body: JSON.stringify(faults) })).status, 200)
        return (await fetch(page)).status
      }
      const broken = [{ path: '/recommendations', reset: true }]
      statuses = statusAfter(broken).then(async (status) => [status, await statusAfter([])])
      statuses.catch(() => {}).finally(() => signal('SIGINT'))
    }
  })
  assert.deepEqual([code, await statuses], [130, [502, 200]])
})

test('serve says when the server ends by itself', async (t) => {
  const ending = submission(t, variant({ before: 'setTimeout(() => process.exit(4), 300)' }))
  const { code, stderr } = await runCommand(['serve', '1', '--server', ending], { env })
  assert.equal(code, 3)
  assert.match(stderr, /The server ended with exit code 4/)
})

/** @param {number} port */
async function isTaken (port) {
  const socket = net.connect({ host: '127.0.0.1', port })
  const isOpen = await once(socket, 'connect').then(() => true, () => false)
  socket.destroy()
  return isOpen
}
