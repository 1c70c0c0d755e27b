import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { openHub, readLoop, recordLoop } from '../../../runner/inside/index.js'
import { signalChild } from '../../../runner/process/index.js'
import { until } from '../../until.js'

/** @import { LoopSide, SentRequest } from '../../../runner/inside/index.js' */

export const schedule = [5, 50, 500, 5, 5, 5, 50, 500, 5, 5, 5, 50, 500, 5, 5, 5]
const now = () => Number(process.hrtime.bigint()) / 1000
const dir = fileURLToPath(new URL('.', import.meta.url))

/** @typedef {SentRequest & { planted: { fromUs: number, toUs: number } }} Asked */

/** All at once, each over its own connection. @param {number} port @returns {Promise<Asked[]>} */
function askAll (port) {
  return Promise.all(schedule.map((ms) => new Promise((resolve, reject) => {
    const path = `/work?ms=${ms}`
    const sentUs = now()
    http.get({ host: '127.0.0.1', port, path, agent: false }, async (res) => {
      const local = Number(res.socket.localPort)
      let text = ''
      for await (const chunk of res.setEncoding('utf8')) text += chunk
      resolve({ port: local, path, sentUs, receivedUs: now(), planted: JSON.parse(text) })
    }).on('error', reject)
  })))
}

/**
 * Records a server that blocks as planned.
 *
 * @returns {Promise<{ side: LoopSide, planted: { from: number, to: number }[], lastSent: number }>} planted: by the
 *   server's own clock, in order; all in ms from the beginning
 */
export async function recordPlanted () {
  const hub = await openHub()
  const child = spawn(process.execPath, ['planted.js'], {
    cwd: dir, env: { PATH: process.env.PATH, ...hub.env }, stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    let said = ''
    child.stdout.on('data', (chunk) => { said += chunk })
    await until(() => hub.members().length === 1 && said.endsWith('\n'))
    /** @type {Asked[]} */
    let asked = []
    const load = async () => (asked = await askAll(Number(said)))
    // However slow this machine is, all of it is in the recording.
    const recording =
      await recordLoop({ hub, server: { pid: Number(child.pid), dir }, leadMs: 0, forMs: 600_000, load })
    assert.ok(recording)
    const ms = (/** @type {number} */ us) => (us - recording.fromUs) / 1000
    const planted = asked.map(({ planted: { fromUs, toUs } }) => ({ from: ms(fromUs), to: ms(toUs) }))
      .sort((a, b) => a.from - b.from)
    return { side: readLoop(recording), planted, lastSent: Math.max(...asked.map(({ sentUs }) => ms(sentUs))) }
  } finally {
    signalChild(child, 'SIGKILL')
    await hub.close()
  }
}

/** @param {Awaited<ReturnType<typeof recordPlanted>>} recorded @returns the block that holds each planted one */
export function holding ({ side, planted }) {
  return planted.map(({ from, to }) => {
    // The model keeps whole µs.
    const found = side.threads[0].blocks.filter((block) => block.from <= from + 0.001 && block.to >= to - 0.001)
    assert.equal(found.length, 1)
    return found[0]
  })
}
