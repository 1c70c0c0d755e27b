import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { signalChild } from '../../runner/system/index.js'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { cli, runNode } from './run.js'

test('class prints each address on a line of its own, and Ctrl-C closes it', async (t) => {
  const root = await makeRepository(t)
  const { code, stdout, stderr } = await runNode([cli, 'class', '--no-open'], {
    env: { ...envFor(root), NO_COLOR: '1' },
    started: (child) => child.stdout.on('data', (text) => {
      if (/Ctrl-C/.test(text)) signalChild(child, 'SIGINT')
    })
  })
  assert.deepEqual([code, stderr], [130, ''])
  const [, join] = /^ {2}http:\/\/127\.0\.0\.1:\d+\/(\S+)$/m.exec(stdout) ?? []
  assert.match(stdout, new RegExp(`^ {2}${join}$`, 'm'))
  assert.match(stdout, /^ {2}http:\/\/127\.0\.0\.1:\d+\/class#[\w-]{32}$/m)
  assert.match(stdout, /^ {2}npm run join http:\S+ -- --name "Ada"$/m)
  assert.match(stdout, /\nOnly this machine can reach it: .+\n.+\nClosed\. Everything is kept\.\n$/)
})

test('an address that this machine has not, or a folder that cannot be, is one sentence', async (t) => {
  const root = await makeRepository(t, { file: '' })
  const run = (/** @type {string[]} */ ...args) => runNode([cli, 'class', '--no-open', ...args], { env: envFor(root) })
  const host = await run('--host', '203.0.113.1')
  assert.equal(host.code, 3)
  assert.match(host.stderr, /^203\.0\.113\.1 is no address of this machine \(E\w+\): name one that it has\.\n$/)
  const dir = await run('--dir', path.join(root, 'file'))
  assert.equal(dir.code, 3)
  assert.match(dir.stderr, /^The folder .+file cannot be had \(E\w+\): name one of yours with --dir\.\n$/)
})
