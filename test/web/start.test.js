import assert from 'node:assert/strict'
import net from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { signalChild } from '../../runner/system/index.js'
import { startWeb } from '../../runner/web/index.js'
import { root } from '../check/mini.js'
import { cli, runNode } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'

test('it prints its address, a second one finds it, and Ctrl-C ends it', async (t) => {
  const env = environment(t)
  /** @type {Promise<any> | undefined} */
  let second
  let address = ''
  const first = await runNode([cli, 'start', '--no-open'], {
    env,
    started: (child) => child.stdout.on('data', async (text) => {
      const [found] = /http:\S+/.exec(text) ?? []
      if (!found) return
      address = found
      assert.equal((await fetch(found)).status, 200)
      second = runNode([cli, 'start', '--no-open'], { env })
      await second
      signalChild(child, 'SIGINT')
    })
  })
  assert.match(first.stdout, /^ *http:\/\/127\.0\.0\.1:\d+\/$/m)
  assert.match(first.stdout, /\nStopped\. Nothing is left running\.\n$/)
  assert.equal(first.code, 130)
  const { code, stdout, stderr } = await second
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.match(stdout, /^The workshop is already open, here:/)
  assert.ok(stdout.includes(address))
})

test('of two that start at the same moment one is open, and both know where', async (t) => {
  const given = { env: environment(t), signal: new AbortController().signal }
  const webs = await Promise.all([startWeb(given), startWeb(given)])
  t.after(() => Promise.all(webs.map(({ close }) => close())))
  assert.deepEqual(webs.map(({ isNew }) => isNew).sort(), [false, true])
  assert.equal(webs[0].url, webs[1].url)
})

test('no browser: a sentence, and it stays open', async (t) => {
  const { stdout } = await runNode([cli, 'start'], {
    env: { ...environment(t), PATH: '' },
    started: (child) => child.stdout.on('data', (text) => {
      if (/Ctrl-C/.test(text)) signalChild(child, 'SIGINT')
    })
  })
  assert.match(stdout, /^No browser could be opened from here: open that address yourself\.$/m)
})

test('a port that is taken, or none', async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  for (const [given, sentence] of [
    [String(port), `Port ${port} is taken: name another one, or leave out --port and the system finds one.\n`],
    ['eighty', '--port takes a whole number from 1 to 65535, got eighty.\n'],
    ['70000', '--port takes a whole number from 1 to 65535, got 70000.\n']
  ]) {
    const result = await runNode([cli, 'start', '--no-open', '--port', given], { env: environment(t) })
    assert.deepEqual(result, { code: 3, signal: null, stdout: '', stderr: sentence })
  }
})

/** @param {import('node:test').TestContext} t @returns {NodeJS.ProcessEnv} */
function environment (t) {
  const workspace = path.join(temporaryFolder(t), 'workspace')
  return { ...process.env, MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: workspace }
}
