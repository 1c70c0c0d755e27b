import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import http from 'node:http'
import test from 'node:test'
import { openHub } from '../../../runner/inside/index.js'
import { signalChild } from '../../../runner/process/index.js'
import { makeFolder } from '../../temporary.js'
import { until } from '../../until.js'
import fs from 'node:fs'
import path from 'node:path'

/** A continuation of a promise has an async id of its own while hooks are on, and only then. */
const server = `
import { executionAsyncId } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import http from 'node:http'
http.createServer(async (req, res) => {
  const outside = executionAsyncId()
  await null
  const isHooked = executionAsyncId() !== 0 && executionAsyncId() !== outside
  res.end(JSON.stringify({ isHooked, isHeard: channel('http.server.request.start').hasSubscribers }))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

/** @param {string} port @returns {Promise<{ isHooked: boolean, isHeard: boolean }>} */
function ask (port) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, agent: false }, async (res) => {
      let text = ''
      for await (const chunk of res.setEncoding('utf8')) text += chunk
      resolve(JSON.parse(text))
    }).on('error', reject)
  })
}

/** @param {Record<string, string>} env @param {(port: string) => Promise<void>} use */
async function serving (env, use) {
  const { dir, remove } = makeFolder('mif hooks ')
  fs.writeFileSync(path.join(dir, 'server.mjs'), server)
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: dir, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit']
  })
  let said = ''
  child.stdout.on('data', (chunk) => { said += chunk })
  try {
    await until(() => said.endsWith('\n'))
    await use(said.trim())
  } finally {
    signalChild(child, 'SIGKILL')
    remove()
  }
}

test('hooks are on in a server only while its event loop is recorded, and not in one without a recorder', async () => {
  const none = { isHooked: false, isHeard: false }
  await serving({}, async (port) => assert.deepEqual(await ask(port), none))
  const hub = await openHub()
  await serving(hub.env, async (port) => {
    await until(() => hub.members().length === 1)
    assert.deepEqual(await ask(port), none, 'a recorder at rest')
    await hub.ask('startLoop')
    assert.deepEqual(await ask(port), { isHooked: true, isHeard: true })
    const [{ value, error }] = await hub.ask('stopLoop')
    assert.equal(error, null)
    assert.equal(value.requests.length, 1)
    assert.deepEqual(await ask(port), none, 'after the recording')
    await hub.ask('startLoop')
    await hub.ask('frameLoop', { fromUs: 0, toUs: 0, most: 1 })
    // The moment is over with its first callback, whether or not the order to stop comes.
    await until(async () => !(await ask(port)).isHooked)
    await hub.ask('stopLoop')
  })
  await hub.close()
})
