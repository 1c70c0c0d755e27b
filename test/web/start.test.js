import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { listen } from '../../runner/http/index.js'
import { signalChild, takeTurn } from '../../runner/process/index.js'
import { withProof } from '../../runner/web/app.js'
import { startWeb } from '../../runner/web/index.js'
import { root } from '../check/mini.js'
import { cli, runCommand, runNode } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'
import { send } from './open.js'

test('it prints a link, a second one finds it and prints another, and Ctrl-C ends it', async (t) => {
  const env = environment(t)
  /** @type {Promise<any> | undefined} */
  let second
  let link = ''
  const first = await runNode([cli, 'start', '--no-open'], {
    env,
    started: (child) => child.stdout.on('data', async (text) => {
      const [found] = /http:\S+/.exec(text) ?? []
      if (!found) return
      link = found
      assert.equal((await fetch(found)).status, 200)
      second = runNode([cli, 'start', '--no-open'], { env })
      await second
      signalChild(child, 'SIGINT')
    })
  })
  assert.match(first.stdout, /^ *http:\/\/127\.0\.0\.1:\d+\/\?token=\S+$/m)
  assert.match(first.stdout, /\nStopped\. Nothing is left running\.\n$/)
  assert.equal(first.code, 130)
  const { code, stdout, stderr } = await second
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.match(stdout, /^The workshop is already open, here:/)
  assert.ok(stdout.includes(new URL('/?token=', link).href))
  assert.ok(!stdout.includes(link))
})

test('of two that start at the same moment one is open, and both know where', async (t) => {
  const given = { env: environment(t), signal: new AbortController().signal }
  const webs = await Promise.all([startWeb(given), startWeb(given)])
  t.after(() => Promise.all(webs.map(({ close }) => close())))
  assert.deepEqual(webs.map(({ isNew }) => isNew).sort(), [false, true])
  assert.equal(webs[0].url, webs[1].url)
})

test('what answers as the workshop is believed only on this machine, and if it knows the secret', async (t) => {
  const given = { env: environment(t), signal: new AbortController().signal }
  const workspace = String(given.env.MAKE_IT_FAST_WORKSPACE)
  const web = await startWeb(given)
  await web.close()
  const file = path.join(workspace, 'browser.json')
  assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  const { secret } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const start = 'any'
  for (const published of [
    { url: 'http://127.0.0.1:9/', start, proof: 'guessed' },
    { url: 'http://127.0.0.1:9/' },
    withProof({ url: 'http://127.0.0.1:9/', start }, 'another'),
    withProof({ url: 'http://192.168.1.5:9/', start }, secret),
    withProof({ url: 'http://127.0.0.1:9/\u001b]0;owned\u0007', start }, secret),
    null
  ]) {
    const turn = await takeTurn(`web\0${workspace}`)
    turn.publish(published)
    await assert.rejects(startWeb(given), /doesn’t know the secret in .+browser\.json: stop it with Ctrl-C/)
    await turn.release()
  }
  const turn = await takeTurn(`web\0${workspace}`)
  turn.publish(withProof({ url: 'http://127.0.0.1:9/', start }, secret))
  assert.deepEqual(await startWeb(given).then(({ url, isNew }) => ({ url, isNew })),
    { url: 'http://127.0.0.1:9/', isNew: false })
  await turn.release()
})

test('in a codespace the link leads to where it forwards the port', async (t) => {
  const more = { CODESPACE_NAME: 'fuzzy-fish', GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: 'app.github.dev' }
  const web = await startWeb({ env: { ...environment(t), ...more }, signal: new AbortController().signal })
  t.after(web.close)
  const link = new URL(web.newLink())
  const { port } = new URL(web.url)
  assert.equal(link.origin, `https://fuzzy-fish-${port}.app.github.dev`)
  const { status, headers } = await send(web.url, 'GET', `/${link.search}`, { headers: { Host: link.host } })
  assert.deepEqual([status, /^make-it-fast-/.test(String(headers['set-cookie']))], [200, true])
})

test('no browser: a sentence, and it stays open', async (t) => {
  const { code, stdout } = await runCommand(['start'], {
    env: { ...environment(t), PATH: '' },
    onOutput: (said, signal) => { if (/Ctrl-C/.test(said)) signal('SIGINT') }
  })
  assert.match(stdout, /^No browser could be opened from here: open that link yourself\.$/m)
  assert.equal(code, 130)
})

test('a port that is taken, or none', async (t) => {
  const server = net.createServer()
  t.after(() => server.close())
  const port = await listen(server, 0, '127.0.0.1')
  for (const [given, stderr] of [
    [String(port), `Port ${port} is taken: name another one, or leave out --port and the system finds one.\n`],
    ['eighty', '--port takes a whole number from 1 to 65535, got eighty.\n'],
    ['70000', '--port takes a whole number from 1 to 65535, got 70000.\n']
  ]) {
    const result = await runCommand(['start', '--no-open', '--port', given], { env: environment(t) })
    assert.deepEqual(result, { code: 3, stdout: '', stderr })
  }
})

/** @param {import('node:test').TestContext} t @returns {NodeJS.ProcessEnv} */
function environment (t) {
  const workspace = path.join(temporaryFolder(t), 'workspace')
  return { ...process.env, MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: workspace }
}
