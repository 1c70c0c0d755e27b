import { spawn } from 'node:child_process'
import { pbkdf2, randomBytes } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * How long a small file takes while sixteen logins hash, with pools of different sizes. A pool can't be resized, so
 * each size has a process of its own.
 *
 *     node lessons/09-thread-pool/sweep.js
 */

const sizes = ['1', '2', '4', '8', '16']
const crowd = 16
const seconds = 3
const self = fileURLToPath(import.meta.url)

if (process.argv[2] === 'one') await measure()
else for (const size of sizes) await startWith(size)

/** @param {string} size of the pool */
async function startWith (size) {
  const child = spawn(process.execPath, [self, 'one'], {
    env: { ...process.env, UV_THREADPOOL_SIZE: size },
    stdio: 'inherit'
  })
  await new Promise((resolve) => child.once('close', resolve))
}

async function measure () {
  const startedAt = performance.now()
  const until = startedAt + 1000 * seconds
  const salt = randomBytes(128)
  let hashes = 0
  const logins = Array.from({ length: crowd }, async () => {
    for (; performance.now() < until; hashes++) await promisify(pbkdf2)('a guess', salt, 10_000, 512, 'sha512')
  })
  /** @type {number[]} */
  const times = []
  while (performance.now() < until) {
    const start = performance.now()
    // What sending a file does with the pool until the last byte is there.
    await stat(self)
    const file = await open(self)
    await file.read(Buffer.alloc(4096))
    times.push(performance.now() - start)
    await file.close()
  }
  await Promise.all(logins)
  const ms = times.sort((a, b) => a - b)[Math.floor(times.length / 2)]
  const rate = 1000 * hashes / (performance.now() - startedAt)
  console.log(`${process.env.UV_THREADPOOL_SIZE?.padStart(2)} threads ${rate.toFixed(0).padStart(4)} logins/s ` +
    `${ms.toFixed(0).padStart(5)} ms  ${'#'.repeat(Math.min(60, Math.ceil(ms / 25)))}`)
}
