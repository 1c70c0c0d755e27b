import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { signalChild } from '../../runner/process/index.js'
import { freePort, listen } from '../../runner/process/sockets.js'
import { temporaryFolder } from '../temporary.js'
import { unlessSkipped } from '../unless-skipped.js'
import { until } from '../until.js'

/** A real Redis for one test, and a way to it that can be cut. */

export const needsRedis = {
  skip: unlessSkipped(spawnSync('redis-server', ['--version']).status === 0,
    'redis-server isn’t installed: what happens when it fails was not tried.')
}

/** @param {import('node:test').TestContext} t */
export async function startRedis (t) {
  const dir = temporaryFolder(t)
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'yes']
  /** @type {import('node:child_process').ChildProcess} */
  let child
  const start = async () => {
    child = spawn('redis-server', args, { stdio: 'ignore' })
    await until(() => say(port, 'PING').then((answer) => answer.startsWith('+PONG'), () => false))
  }
  const stop = () => endChild(child)
  t.after(stop)
  await start()
  return { port, restart: async () => { await stop(); await start() }, flush: () => say(port, 'FLUSHALL') }
}

/** @param {import('node:test').TestContext} t @param {number} to @returns a port that leads there until it is cut */
export async function startProxy (t, to) {
  /** @type {Set<net.Socket>} */
  const open = new Set()
  let isCut = false
  const server = net.createServer((near) => {
    if (isCut) return near.destroy()
    const far = net.connect(to, '127.0.0.1')
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  const port = await listen(server)
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  t.after(() => {
    cut()
    server.close()
  })
  return { url: `redis://127.0.0.1:${port}`, cut, heal: () => { isCut = false } }
}

/** @param {number} port @param {string} command @returns {Promise<string>} */
export async function say (port, command) {
  const socket = net.connect(port, '127.0.0.1')
  try {
    socket.write(`${command}\r\n`)
    const [answer] = await once(socket, 'data')
    return String(answer)
  } finally {
    socket.destroy()
  }
}

/** Kills a child of ours and waits for its end. @param {import('node:child_process').ChildProcess} child */
export async function endChild (child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  signalChild(child, 'SIGKILL')
  await ended
}
